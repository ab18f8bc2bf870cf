// The connection between kitchen and cloud breaks in every way. Orders wait or print, nothing is lost, nothing comes twice, fire times are kept without internet.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock, toIso } from '#shared/clock.ts'
import { FaultProxy } from '#test/doubles/fault-proxy.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { JournalClient, judgeEvents } from '#test/harness/client.ts'
import { inDrill } from '#test/harness/drill.ts'
import { judgePaper } from '#test/harness/judge-paper.ts'
import { seededRandom } from '#test/harness/random.ts'
import { Site } from '#test/harness/site.ts'

const printer = new VirtualPrinter()
const receiver = new WebhookReceiver()
const proxy = new FaultProxy()
/** Cuts, delays and black holes. */
const FAULTS = inDrill(60, 15)
let site: Site
let client: JournalClient

beforeAll(async () => {
  const { host, port } = await printer.start()
  await receiver.start()
  const entry = await proxy.start({ host: '127.0.0.1', port: 1 })
  site = new Site({
    printers: `kitchen=${host}:${port}`,
    brokerPort: () => {
      proxy.retarget({ host: '127.0.0.1', port: site.mqttPort })
      return entry.port
    },
  })
  await site.start()
  receiver.secret = (await site.listen(receiver.url)).body.secret
  client = new JournalClient(site, 5)
})

afterAll(async () => {
  await site.stop()
  await proxy.stop()
  await receiver.stop()
  await printer.stop()
})

const printed = (serviceOrderId: string | undefined) =>
  receiver.nextEvent(
    (event) =>
      event.type === 'order.printed' &&
      (event.data['order'] as { serviceOrderId: string }).serviceOrderId === serviceOrderId,
    120_000,
  )

describe('the link', () => {
  it('brings everything through cuts, delays and black holes under load', async () => {
    const random = seededRandom(20_261_121)
    client.start()
    for (let fault = 0; fault < FAULTS; fault++) {
      await systemClock.sleep(random() * 120)
      const dice = random()
      if (dice < 0.5) proxy.cutAll()
      else if (dice < 0.75) {
        proxy.delayMs = 40
        await systemClock.sleep(random() * 200)
        proxy.delayMs = 0
      } else {
        proxy.blackHole(true)
        await systemClock.sleep(random() * 300)
        proxy.blackHole(false)
        proxy.cutAll()
      }
    }
    await client.stop()
    await printed(client.ids.get(client.accepted.at(-1) ?? ''))
    for (const id of client.ids.values()) await printed(id)
    const { lost, unmarkedDoubles, outOfOrder, marked } = judgePaper(
      client.accepted,
      printer.tickets.map((ticket) => ticket.text()),
    )
    expect({ lost, unmarkedDoubles, outOfOrder, marked }).toEqual({
      lost: [],
      unmarkedDoubles: [],
      outOfOrder: [],
      marked: 0,
    })
    expect(judgeEvents(receiver, 'order.printed', client.ids)).toEqual({ missing: [], doubled: [], badSignatures: 0 })
  })

  it('hands a scheduled order ahead, so that it fires without internet and not before its time', async () => {
    const fireAtMs = systemClock.now() + 3_000
    const answer = await site.inject({ orderId: 'T-700001', note: 'T-700001', fireAt: toIso(fireAtMs) })
    expect(answer.status).toBe(200)
    await untilHeldAtGateway()
    await proxy.refuse(true)
    const ticket = await printer.nextTicket((t) => t.text().includes('T-700001'), AbortSignal.timeout(60_000))
    // The gateway knows the relay's time as well as a busy machine answers its hello.
    expect(ticket.receivedAtMs).toBeGreaterThanOrEqual(fireAtMs - 500)
    await proxy.refuse(false)
    const event = await printed(answer.body.serviceOrderId)
    // The event tells the time on paper, not the time of its arrival.
    const { tickets } = await site.gatewayStatus()
    const { settledAt } = tickets.find(({ orderId }: { orderId: string }) => orderId === 'T-700001')
    expect(event.event.timestamp).toBe(settledAt)
  })

  it('keeps orders that arrive while the gateway is disconnected, answers 503 with the order inside, and prints them on return', async () => {
    await proxy.refuse(true)
    let answer: Awaited<ReturnType<Site['inject']>>
    let n = 600_000
    const ids: string[] = []
    do {
      await systemClock.sleep(20)
      n++
      answer = await site.inject({ orderId: `T-${n}`, note: `T-${n}` })
      ids.push((answer.body.order ?? answer.body).serviceOrderId)
    } while (answer.status === 200)
    expect(answer.body).toMatchObject({ code: 'printer.offline', order: { status: 'accepted' } })
    await proxy.refuse(false)
    for (const id of ids) await printed(id)
  })
})

/** Resolves when the gateway says that it holds a ticket for later. */
async function untilHeldAtGateway(): Promise<void> {
  for (;;) {
    const status = await site.gatewayStatus()
    if (status.queue.held > 0) return
    await systemClock.sleep(20)
  }
}
