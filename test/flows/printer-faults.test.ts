// What a printer can do to an order: refused, back again, cut off, frozen, out of paper, lying. After each fault the paper and the events must agree.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judgeEvents } from '#test/harness/client.ts'
import { judgePaper } from '#test/harness/judge-paper.ts'
import type { Site } from '#test/harness/site.ts'
import { TwoPrinterSite } from '#test/harness/two-printer-site.ts'

// Every time our side closes, the kitchen's printer answers with RST: that must never change what it has confirmed.
const restaurant = new TwoPrinterSite({ manners: { rstAfterFin: true } })
const { kitchen, bar, receiver } = restaurant
const inject = () => restaurant.inject()
const printedEvent = (token: string) => restaurant.printedEvent(token)

beforeAll(() => restaurant.start())
afterAll(() => restaurant.stop())

const isPrinted = (token: string) =>
  receiver.received.some(
    ({ event }) => event.type === 'order.printed' && (event.data['order'] as { orderId: string }).orderId === token,
  )

const copies = (token: string) => kitchen.tickets.filter((ticket) => ticket.text().includes(token))

/** Resolves when the relay answers that the kitchen is offline. */
async function untilOffline(): Promise<void> {
  for (;;) {
    const status = await restaurant.site.gatewayStatus()
    const printer = status.printers.find((p: { name: string }) => p.name === 'kitchen')
    if (printer.state === 'offline') return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe('a printer', () => {
  it('that is switched off gets its orders, in order, when it is back, and the client gets 503 meanwhile', async () => {
    await printedEvent(await inject())
    const { site, client } = restaurant
    await kitchen.refuse()
    const first = await inject()
    await untilOffline()
    // The gateway tells the relay within a moment; until then the answer is 200.
    let second: Awaited<ReturnType<Site['inject']>>
    let orderId = ''
    do {
      await new Promise((resolve) => setTimeout(resolve, 20))
      orderId = `T-9${String(client.accepted.length + 10_000).slice(-5)}`
      second = await site.inject({ orderId, note: orderId })
      client.accepted.push(orderId)
      client.ids.set(orderId, (second.body.order ?? second.body).serviceOrderId)
    } while (second.status === 200)
    expect(second.status).toBe(503)
    expect(second.body).toMatchObject({ code: 'printer.offline', status: 503, order: { status: 'accepted' } })
    expect(second.headers.get('retry-after')).toBeNull()

    const again = await site.inject({ orderId, note: orderId })
    expect(again.status).toBe(200)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual(second.body.order)

    expect(isPrinted(first)).toBe(false)
    await kitchen.listenAgain()
    await printedEvent(first)
    await printedEvent(orderId)
    expect(copies(first)).toHaveLength(1)
    expect(copies(orderId)).toHaveLength(1)
  })

  it('that is dead does not delay another printer', async () => {
    const { site } = restaurant
    await kitchen.refuse()
    const stuck = await inject()
    const answer = await site.call('POST', '/v1/order/inject', {
      merchantId: site.merchantId,
      orderId: 'T-800001',
      source: 'test',
      items: [{ umsId: 'UMS-COFFEE-01', qty: 1, price: 4, note: 'T-800001' }],
      total: 4,
    })
    expect([200, 503]).toContain(answer.status)
    await bar.nextTicket((ticket) => ticket.text().includes('T-800001'), AbortSignal.timeout(60_000))
    expect(isPrinted(stuck)).toBe(false)
    await kitchen.listenAgain()
    await printedEvent(stuck)
  })

  it('that resets the connection after any number of bytes leaves no order without paper and no unmarked second copy', async () => {
    for (let bytes = 1; bytes < 300; bytes += 11) {
      kitchen.resetAfterBytes(bytes, bytes % 2 === 0 ? 'kept' : 'lost')
      const token = await inject()
      await printedEvent(token)
    }
    expect(verdict()).toEqual({ lost: [], unmarkedDoubles: [], outOfOrder: [] })
  })

  it('that breaks off after the last byte, before its answer, makes a marked second copy', async () => {
    kitchen.resetBeforeAnswer()
    const token = await inject()
    const event = await printedEvent(token)
    expect(event.event.data['print']).toMatchObject({ possibleDuplicate: true, attempts: 2 })
    expect(copies(token).map((ticket) => ticket.text().includes('POSSIBLE DUPLICATE'))).toEqual([false, true])
  })

  it('that hangs is never reported as printed, and prints when it wakes up', async () => {
    kitchen.freeze()
    const token = await inject()
    await untilOffline()
    expect(isPrinted(token)).toBe(false)
    kitchen.thaw()
    await printedEvent(token)
    expect(verdict()).toEqual({ lost: [], unmarkedDoubles: [], outOfOrder: [] })
  })

  it('that runs out of paper mid-ticket continues after a new roll, on one ticket, without a mark', async () => {
    kitchen.paperOut(3)
    const token = await inject()
    await untilOffline()
    expect(isPrinted(token)).toBe(false)
    kitchen.loadPaper()
    const event = await printedEvent(token)
    expect(event.event.data['print']).toMatchObject({ possibleDuplicate: false, attempts: 1 })
    expect(copies(token)).toHaveLength(1)
  })

  it('that sends false results is not believed: the order stays unproven until an honest answer arrives', async () => {
    kitchen.manners.foreignProcessId = true
    const token = await inject()
    const event = await printedEvent(token)
    // It had confirmed by process id before. A foreign id proves nothing; the next copy is marked and proven by another answer.
    expect(event.event.data['print']).toMatchObject({ confirmation: 'confirmed', possibleDuplicate: true })
    expect(['gs-i', 'gs-r']).toContain((event.event.data['print'] as { method: string }).method)
    expect(copies(token).at(-1)?.text()).toContain('POSSIBLE DUPLICATE')
    kitchen.manners.foreignProcessId = false
  })

  it('never made an event without paper, nor two events of one kind', async () => {
    const printed = judgeEvents(receiver, 'order.printed', restaurant.client.ids)
    expect(printed).toEqual({ missing: [], doubled: [], badSignatures: 0 })
    expect(judgeEvents(receiver, 'order.accepted', restaurant.client.ids)).toEqual({
      missing: [],
      doubled: [],
      badSignatures: 0,
    })
    expect(verdict()).toEqual({ lost: [], unmarkedDoubles: [], outOfOrder: [] })
  })
})

function verdict() {
  const { lost, unmarkedDoubles, outOfOrder } = judgePaper(
    restaurant.client.accepted,
    kitchen.tickets.map((ticket) => ticket.text()),
  )
  return { lost, unmarkedDoubles, outOfOrder }
}
