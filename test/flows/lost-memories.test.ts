// What happens to orders when a program loses its disk, its neighbour or its settings: always on paper, in order, a second copy marked.
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { JournalClient, judgeEvents } from '#test/harness/client.ts'
import { judgePaper } from '#test/harness/judge-paper.ts'
import { Site } from '#test/harness/site.ts'

const kitchen = new VirtualPrinter()
const moved = new VirtualPrinter()
const receiver = new WebhookReceiver()
let site: Site
let client: JournalClient

beforeAll(async () => {
  const { host, port } = await kitchen.start()
  await receiver.start()
  site = new Site({ printers: `kitchen=${host}:${port}` })
  await site.start()
  receiver.secret = (await site.listen(receiver.url)).body.secret
  client = new JournalClient(site, 0)
})

afterAll(async () => {
  await site.stop()
  await receiver.stop()
  await kitchen.stop()
  await moved.stop()
})

/** Injects one order and resolves with its token. */
async function inject(): Promise<string> {
  await client.inject()
  return client.accepted.at(-1) ?? ''
}

const printedEvents = (token: string) =>
  receiver.received.filter(
    ({ event }) => event.type === 'order.printed' && (event.data['order'] as { orderId: string }).orderId === token,
  ).length

async function until(condition: () => boolean | Promise<boolean>, withinMs = 100_000): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const isPrinted = (token: string) => until(() => printedEvents(token) > 0)
const copies = (token: string) => [...kitchen.tickets, ...moved.tickets].filter((t) => t.text().includes(token))
const queued = async (n: number) => until(async () => (await site.gatewayStatus()).queue.queued === n)

const relayFile = () => join(site.dir, 'cloud/relay.db')
const gatewayFile = () => join(site.dir, 'gateway/gateway.db')
const remove = (file: string) => {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
}

describe('orders', () => {
  it('that wait in hundreds for a printer are printed in order once it is back', async () => {
    await isPrinted(await inject())
    await kitchen.refuse()
    for (let n = 0; n < 300; n++) await inject()
    await queued(300)
    await kitchen.listenAgain()
    await isPrinted(client.accepted.at(-1) ?? '')
    const orders = kitchen.tickets.map((ticket) => client.accepted.findIndex((token) => ticket.text().includes(token)))
    expect(orders).toEqual(Array.from({ length: 301 }, (_, n) => n))
  })

  it('that a gateway had when its disk was lost are sent again, marked; those that were reported are not', async () => {
    const before = await inject()
    await isPrinted(before)
    await kitchen.refuse()
    const waiting = [await inject(), await inject()]
    await queued(2)
    await site.gateway.kill('SIGKILL')
    remove(gatewayFile())
    const unseen = await inject()
    await kitchen.listenAgain()
    await site.startGateway()
    for (const token of [...waiting, unseen]) await isPrinted(token)
    expect(copies(before)).toHaveLength(1)
    for (const token of waiting) {
      expect(copies(token)).toHaveLength(1)
      expect(copies(token)[0]?.text()).toContain('POSSIBLE DUPLICATE')
    }
    expect(copies(unseen)[0]?.text()).not.toContain('POSSIBLE DUPLICATE')
  })

  it('that wait when the printer gets another address are printed there', async () => {
    await kitchen.refuse()
    const waiting = await inject()
    await queued(1)
    await site.gateway.kill('SIGKILL')
    const to = await moved.start()
    await site.gateway.start({
      GATEWAY_HTTP_PORT: new URL(site.gatewayUrl).port,
      GATEWAY_PRINTERS: `kitchen=${to.host}:${to.port}`,
    })
    await isPrinted(waiting)
    expect(moved.tickets.filter((t) => t.text().includes(waiting))).toHaveLength(1)
    await site.gateway.kill('SIGKILL')
    await kitchen.listenAgain()
    await site.startGateway()
  })

  it('that are held fire on time while the relay is away and the gateway was killed meanwhile; the event follows', async () => {
    const fireAtMs = Date.now() + 6_000
    const token = 'T-800001'
    const answer = await site.inject({ orderId: token, note: token, fireAt: new Date(fireAtMs).toISOString() })
    expect(answer.status).toBe(200)
    await until(async () => (await site.gatewayStatus()).queue.held === 1)
    await site.cloud.kill('SIGKILL')
    await site.gateway.kill('SIGKILL')
    await site.startGateway()
    await until(() => copies(token).length > 0)
    // The relay is away until afterwards: it is the gateway that knew the time.
    expect(copies(token)[0]?.receivedAtMs).toBeGreaterThanOrEqual(fireAtMs - 5)
    await site.startCloud()
    await isPrinted(token)
    client.accepted.push(token)
    client.ids.set(token, answer.body.serviceOrderId)
    expect((await site.getOrder(answer.body.serviceOrderId)).body.status).toBe('printed')
    expect(judgeEvents(receiver, 'order.printed', client.ids)).toEqual({ missing: [], doubled: [], badSignatures: 0 })
  })

  it('that a restored relay has forgotten end as printed', async () => {
    await kitchen.refuse()
    const waiting = [await inject(), await inject()]
    await queued(2)
    await site.cloud.kill('SIGTERM')
    copyFileSync(relayFile(), `${relayFile()}.copy`)
    await site.startCloud()
    await kitchen.listenAgain()
    for (const token of waiting) await isPrinted(token)
    await site.cloud.kill('SIGKILL')
    remove(relayFile())
    copyFileSync(`${relayFile()}.copy`, relayFile())
    await site.startCloud()
    // The relay asks when the gateway has told that it is idle: at the welcome, or once a result that was still on its way has arrived.
    for (const token of waiting)
      await until(async () => (await site.getOrder(client.ids.get(token) ?? '')).body.status === 'printed')
    for (const token of waiting) expect(copies(token)).toHaveLength(1)
    const after = await inject()
    await isPrinted(after)
  })

  it('are on paper in the order of their acceptance', () => {
    const texts = [...kitchen.tickets].map((t) => t.text())
    const elsewhere = new Set(moved.tickets.map((t) => /T-\d{6}/.exec(t.text())?.[0]))
    const verdict = judgePaper(
      client.accepted.filter((token) => !elsewhere.has(token)),
      texts,
    )
    expect(verdict).toMatchObject({ lost: [], unmarkedDoubles: [], outOfOrder: [] })
  })
})
