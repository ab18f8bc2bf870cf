// Orders by their number: the list, the search over all that is kept, and one card an order.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { KitchenOrder } from '#shared/order.ts'
import { BoxServer } from '#test/doubles/box-server.ts'
import { FRY, GRILL } from '#test/doubles/gateway-core.ts'
import type { OrderHistoryAnswer } from './answers.ts'
import type { OrderPage } from './order-answers.ts'

let box: BoxServer
beforeEach(() => {
  box = new BoxServer({ printers: [GRILL, FRY] })
})
afterEach(() => box.core.stop())

const list = async (input: object = {}) =>
  (await box.control.perform('orders.list', input, { asker: 'test' })) as OrderPage
const show = async (order: string) =>
  (await box.control.perform('orders.show', { order }, { asker: 'test' })) as OrderHistoryAnswer

/** Number n of the day, a minute after the one before. */
async function order(n: number, over: Partial<KitchenOrder> = {}): Promise<void> {
  const posOrderId = `20261121-${String(n).padStart(3, '0')}`
  box.core.accept(`pj_${n}`, {
    order: { serviceOrderId: `ord_${n}`, orderId: `WEB-${1_000 + n}`, posOrderId, ...over },
  })
  await box.core.clock.advance(60_000)
}

describe('the list', () => {
  it('names each order by its number, newest first, once for all of its tickets', async () => {
    const items = ['grill', 'fry'].map((station) => ({ umsId: station, name: station, qty: 2, modifiers: [], station }))
    await order(63)
    await order(64, { items, orderType: 'dine-in', table: 'T12' })
    const { orders, next } = await list()
    expect(orders.map(({ number, clientOrderId, tickets }) => [number, clientOrderId, tickets.waiting])).toEqual([
      ['64', 'WEB-1064', 2],
      ['63', 'WEB-1063', 1],
    ])
    expect(orders[0]).toMatchObject({ printJobId: 'pj_64', table: 'T12', guest: 'Ana C.', items: ['2 grill', '2 fry'] })
    expect(next).toBeNull()
  })

  it('pages over all orders that are kept, each once', async () => {
    for (let n = 1; n <= 75; n++) box.core.accept(`pj_${n}`, { order: { serviceOrderId: `ord_${n}` } })
    const seen: string[] = []
    let before: number | undefined
    do {
      const { orders, next } = await list({ limit: 20, ...(before === undefined ? {} : { before }) })
      seen.push(...orders.map(({ printJobId }) => printJobId))
      before = next ?? undefined
    } while (before !== undefined)
    expect(seen).toEqual(Array.from({ length: 75 }, (_, index) => `pj_${75 - index}`))
  })

  it('finds an order far behind the newest by its number', async () => {
    await order(64)
    for (let n = 1; n <= 300; n++) box.core.accept(`pj_x${n}`, { order: { serviceOrderId: `ord_x${n}` } })
    const { orders, next } = await list({ search: '#64' })
    expect([orders.map(({ printJobId }) => printJobId), next]).toEqual([['pj_64'], null])
  })

  it('keeps to its time limit, returns how far it has searched, and continues from there', async () => {
    await order(1)
    for (let n = 2; n <= 600; n++) box.core.accept(`pj_${n}`, { order: { serviceOrderId: `ord_${n}` } })
    // Each read of the clock is ten milliseconds later.
    let ms = 0
    const { clock } = box.core
    clock.monotonicMs = () => (ms += 10)
    clock.sleep = async () => {}
    const first = await list({ search: '#1' })
    expect(first.orders).toEqual([])
    expect(first.next).not.toBeNull()
    expect(first.lookedBackTo).not.toBeNull()
    let page = first
    while (page.orders.length === 0 && page.next !== null) page = await list({ search: '#1', before: page.next })
    expect(page.orders.map(({ printJobId }) => printJobId)).toEqual(['pj_1'])
  })

  it('shows waiting orders, those that need attention, and those that were cancelled', async () => {
    for (const n of [1, 2, 3]) await order(n)
    box.core.jobs.cancel('pj_2', true, 'guest left')
    box.core.db.sqlite.prepare("update tickets set state = 'parked' where job_id = 'pj_3'").run()
    const ids = async (state: string) => (await list({ state })).orders.map(({ printJobId }) => printJobId)
    expect([await ids('waiting'), await ids('trouble'), await ids('voided'), await ids('printed')]).toEqual([
      ['pj_1'],
      ['pj_3'],
      ['pj_2'],
      [],
    ])
  })

  it('calls an order printed only when none of its tickets is in trouble', async () => {
    const items = ['grill', 'fry'].map((station) => ({ umsId: station, name: station, qty: 1, modifiers: [], station }))
    for (const n of [1, 2]) await order(n, { items })
    const { sqlite } = box.core.db
    sqlite.prepare("update tickets set state = 'printed'").run()
    sqlite.prepare("update tickets set state = 'parked' where ticket_id = 'pj_2-2'").run()
    const ids = async (state: string) => (await list({ state })).orders.map(({ printJobId }) => printJobId)
    expect([await ids('printed'), await ids('trouble')]).toEqual([['pj_1'], ['pj_2']])
  })

  it('forgets the guest with the order', async () => {
    await order(1)
    box.core.acts.cancel('pj_1-1')
    const { clock, history } = box.core
    await clock.advance(25 * 3_600_000)
    history.scrubCustomers(clock.now(), clock.now(), 10)
    expect((await list()).orders[0]).toMatchObject({ number: '1', guest: null })
    expect((await list({ search: 'ana' })).orders).toEqual([])
  })
})

describe('one order', () => {
  it.each(['64', '#64', 'WEB-1064', 'web-1064', 'ord_64', 'pj_64', 'pj_64-1'])('is named by %s', async (name) => {
    await order(64)
    await order(65)
    expect(await show(name)).toMatchObject({ number: '64', printJobId: 'pj_64' })
  })

  it('is the newest of its number', async () => {
    await order(64)
    box.core.accept('pj_new', { order: { serviceOrderId: 'ord_new', posOrderId: '20261122-064' } })
    expect(await show('#64')).toMatchObject({ printJobId: 'pj_new' })
  })

  it('that does not exist is refused with what to do', async () => {
    await expect(show('99')).rejects.toThrow('There is no order 99. Give its number as it stands on paper')
  })

  it('has one timeline of its tickets, its screens and its cooks', async () => {
    await order(64)
    const { kitchen } = box
    await kitchen.start()
    const added = kitchen.displays.add(
      { name: 'Pass', stations: [], language: 'en', backupPrinterId: null },
      box.core.clock.now(),
    )
    if (!added.ok) throw new Error(added.reason)
    await kitchen.orders()
    kitchen.present(added.display, { rendered: ['ord_64'], noticed: [], onShift: true })
    await box.core.clock.advance(1_000)
    const act = { orderId: 'ord_64', stations: null, atMs: box.core.clock.now() }
    kitchen.act(added.display, [{ ...act, id: 'tap-00000001', kind: 'ready' }])
    await box.core.clock.advance(1_000)
    box.core.jobs.cancel('pj_64', true, 'guest left')
    box.core.db.flush()
    const { timeline, screens, voidReason, relay } = await show('64')
    expect(timeline.map(({ step, where }) => (where === null ? step : `${step} ${where}`))).toEqual([
      'received',
      'seen Pass',
      'station-ready grill',
      'ready',
      'settled Grill',
      'voided',
    ])
    expect(timeline[0]?.afterMs).toBe(0)
    expect(screens).toMatchObject([{ name: 'Pass', seenAt: timeline[1]?.at }])
    expect([voidReason, relay.result]).toEqual(['guest left', 'waits'])
    await kitchen.stop()
  })

  it('has the tickets of its copies and of its fired courses', async () => {
    const items = [1, 2].map((course) => ({
      ...{ umsId: `U-${course}`, name: `Dish ${course}`, qty: 1, modifiers: [], station: 'grill' },
      course,
    }))
    await order(64, { items })
    await order(65)
    await box.kitchen.start()
    await box.kitchen.orders()
    box.kitchen.fire('ord_64', 2)
    const doc = box.core.order({ serviceOrderId: 'ord_64', posOrderId: '20261121-064' })
    box.core.accept('pj_copy', {
      doc: { kind: 'reprint', order: doc, target: { printerId: null, station: null, copies: 1 } },
    })
    const shown = await show('64')
    const jobs = [...new Set(shown.ticketList.map(({ printJobId }) => printJobId))]
    expect(jobs).toHaveLength(3)
    expect(jobs).toContain('pj_copy')
    expect(shown.timeline.map(({ step }) => step)).toEqual(expect.arrayContaining(['course-fired', 'copy-asked']))
    expect(await show('pj_copy')).toMatchObject({ printJobId: 'pj_64' })
    await box.kitchen.stop()
  })

  it('has a copy that was requested hundreds of orders later', async () => {
    await order(64)
    for (let n = 1; n <= 330; n++) box.core.accept(`pj_x${n}`, { order: { serviceOrderId: `ord_x${n}` } })
    const doc = box.core.order({ serviceOrderId: 'ord_64' })
    box.core.accept('pj_copy', {
      doc: { kind: 'reprint', order: doc, target: { printerId: null, station: null, copies: 1 } },
    })
    const { ticketList } = await show('pj_64')
    expect(ticketList.map(({ printJobId }) => printJobId)).toEqual(['pj_64', 'pj_copy'])
  })

  it('is the filter of the list of tickets', async () => {
    await order(64)
    await order(65)
    expect(await box.control.perform('jobs.list', { order: '64' }, { asker: 'test' })).toMatchObject({
      tickets: [{ ticketId: 'pj_64-1', orderNumber: '64' }],
      next: null,
    })
  })
})
