// The manager's report: what it counts of orders and printers, that each is counted once whether it is thinned already or not, and that nothing waits for it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KitchenReport } from '#gateway/control/kitchen-report.ts'
import type { ReportAnswer, ReportBy } from '#gateway/control/report-answers.ts'
import { ReportBuckets } from '#gateway/storage/report-buckets.ts'
import { ReportSource } from '#gateway/storage/report-source.ts'
import type { KitchenOrder } from '#shared/order.ts'
import { BoxServer } from '#test/doubles/box-server.ts'
import { FRY, GRILL } from '#test/doubles/gateway-core.ts'
import { OFFLINE } from '#test/doubles/scripted-transport.ts'
import { ReportKeeper } from './report-keeper.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let box: BoxServer
let keeper: ReportKeeper
beforeEach(async () => {
  box = new BoxServer({ printers: [GRILL, FRY] })
  keeper = newKeeper()
  await box.core.queue.start()
})
afterEach(() => box.core.stop())

function newKeeper(now = () => box.core.relayTime.now()): ReportKeeper {
  const { db, clock, history, log } = box.core
  const time = { now }
  const { site } = box
  return new ReportKeeper({
    ...{ buckets: new ReportBuckets(db), source: new ReportSource(db), history, site, time, clock, log },
  })
}

const today = (): string => new Date(box.core.clock.now()).toISOString().slice(0, 10)
const report = async (by: ReportBy, from = '2026-01-01', to = '2026-12-31') =>
  (await box.control.perform('report.get', { from, to, by }, { asker: 'test' })) as ReportAnswer

/** More than there ever is: counting that does not get on ends too. */
const MOST_BATCHES = 100

function countAll(): void {
  for (let batches = 0; batches < MOST_BATCHES && keeper.countSome(); batches++);
}

/** An order that arrives and prints now, and whose stations are ready this many minutes later. */
async function made(jobId: string, minutes: number | null, over: Partial<KitchenOrder> = {}): Promise<void> {
  const serviceOrderId = `ord_${jobId}`
  box.core.accept(jobId, { order: { serviceOrderId, ...over } })
  const atMs = box.core.clock.now()
  await box.core.pass(500)
  if (minutes === null) return
  const { sqlite } = box.core.db
  const readyMs = atMs + minutes * MINUTE
  sqlite.prepare('insert into kitchen_orders values (?, ?, null, null, ?)').run(serviceOrderId, readyMs, readyMs)
  const stations = new Set((over.items ?? [{ station: 'grill' }]).map(({ station }) => station))
  for (const station of stations)
    sqlite.prepare('insert into kitchen_stations values (?, ?, null, ?)').run(serviceOrderId, station, readyMs)
}

describe('a report', () => {
  it('reports how long orders took, how many were late, and what was voided', async () => {
    for (const [index, minutes] of [4, 5, 6, 12].entries()) await made(`pj_${index}`, minutes)
    await made('pj_open', null)
    await made('pj_void', null)
    box.core.jobs.cancel('pj_void', true)
    const { total, rows } = await report('day')
    expect(total).toMatchObject({ orders: 6, timed: 4, late: 1, voided: 1 })
    expect(Math.abs((total.p50Ms ?? 0) - 5 * MINUTE)).toBeLessThan(0.05 * 5 * MINUTE)
    expect(Math.abs((total.p90Ms ?? 0) - 12 * MINUTE)).toBeLessThan(0.05 * 12 * MINUTE)
    expect(rows).toMatchObject([{ key: today(), orders: 6 }])
  })

  it('of the last days that can be written ends', async () => {
    expect(await report('day', '9999-12-01', '9999-12-31')).toMatchObject({ total: { orders: 0 }, rows: [] })
  })

  it('gives delivery more time, and lets the promised time decide where there is one', async () => {
    await made('pj_delivery', 12, { orderType: 'delivery' })
    await made('pj_kept', 25, { readyByMs: box.core.clock.now() + 30 * MINUTE })
    await made('pj_broken', 4, { readyByMs: box.core.clock.now() + MINUTE })
    const { rows, total } = await report('type')
    expect(total.late).toBe(1)
    expect(rows.find(({ key }) => key === 'delivery')).toMatchObject({ orders: 1, late: 0 })
    expect(rows.find(({ key }) => key === '')).toMatchObject({ orders: 2, late: 1 })
  })

  it('counts as late by the settings of the box, reports them, and keeps earlier counts', async () => {
    const set = (thresholds: object) => box.control.perform('settings.put', { thresholds }, { asker: 'test' })
    await set({ usual: { soonMin: 4, lateMin: 20 }, catering: { soonMin: 30, lateMin: 60 } })
    await made('pj_dine', 19)
    await made('pj_catering', 59, { orderType: 'catering' })
    await made('pj_delivery', 16, { orderType: 'delivery' })
    expect(await report('day')).toMatchObject({
      total: { timed: 3, late: 1 },
      thresholds: { usual: { lateMin: 20 }, delivery: { lateMin: 15 }, catering: { lateMin: 60 } },
    })
    await box.core.clock.advance(13 * HOUR)
    countAll()
    await set({})
    await made('pj_now', 19)
    expect(await report('day')).toMatchObject({ total: { timed: 4, late: 2 }, thresholds: { usual: { lateMin: 10 } } })
  })

  it('counts each station for itself, by its folded name', async () => {
    const line = (station: string) => ({ umsId: station, name: station, qty: 1, modifiers: [], station })
    await made('pj_1', 5, { items: [line('grill'), line('fry')] })
    await made('pj_2', 7, { items: [line('grill')] })
    const { rows, total } = await report('station')
    expect(rows.map(({ key, orders, timed }) => [key, orders, timed])).toEqual([
      ['grill', 2, 2],
      ['fry', 1, 1],
    ])
    expect(total.orders).toBe(2)
  })

  it('counts a later course from its fire', async () => {
    const items = [1, 2].map((course) => ({
      ...{ umsId: `U-${course}`, name: `Dish ${course}`, qty: 1, modifiers: [], station: 'grill' },
      course,
    }))
    await made('pj_1', 60, { items })
    box.core.db.sqlite
      .prepare("insert into kitchen_courses values ('ord_pj_1', 2, ?, null, null)")
      .run(box.core.clock.now() + 54 * MINUTE)
    const { total } = await report('day')
    expect(total.late).toBe(0)
    expect(total.p50Ms).toBeLessThan(7 * MINUTE)
  })

  it('puts each order under the weekday of its date, with Monday as the first', async () => {
    const days: string[] = []
    // A Friday, the Sunday after it and the Monday after that.
    for (const [daysLater, orders] of [
      [0, 1],
      [2, 2],
      [1, 3],
    ] as const) {
      await box.core.clock.advance(daysLater * 24 * HOUR)
      for (let n = 1; n <= orders; n++) await made(`pj_${today()}_${n}`, 5)
      days.push(today())
    }
    expect(days).toEqual(['2026-11-20', '2026-11-22', '2026-11-23'])
    expect((await report('weekday')).rows.map(({ key, orders }) => [key, orders])).toEqual([
      ['1', 3],
      ['5', 1],
      ['7', 2],
    ])
  })

  it('leaves test orders out, and words that are no type count together', async () => {
    box.core.accept('pj_test', { order: { serviceOrderId: 'ord_test' } })
    const { sqlite } = box.core.db
    const { doc } = sqlite.prepare("select doc from jobs where job_id = 'pj_test'").get() as { doc: string }
    const { digestOf } = await import('#gateway/storage/database.ts')
    const marked = JSON.stringify({ ...JSON.parse(doc), isTest: true })
    sqlite.prepare("update jobs set doc = ?, digest = ? where job_id = 'pj_test'").run(marked, digestOf(marked))
    await made('pj_1', 3, { orderType: 'constructor' })
    await made('pj_2', 3, { orderType: 'by-drone' })
    expect((await report('type')).rows).toMatchObject([{ key: 'other', orders: 2 }])
  })

  it('reports for each printer what was printed, what was in doubt and what was printed again', async () => {
    await made('pj_1', null)
    await box.core.pass(1_000)
    box.core.acts.reprint('pj_1-1', undefined)
    await box.core.pass(2_000)
    const { db } = box.core
    db.sqlite
      .prepare(
        `insert into attempts (ticket_id, attempt, printer_id, ended_at_ms, outcome, reason)
         values ('pj_1-1', 2, 'grill', ?, 'retry', 'timed-out'), ('pj_1-1', 3, 'grill', ?, 'retry', 'shutdown')`,
      )
      .run(box.core.clock.now(), box.core.clock.now())
    const { printers, rows } = await report('printer')
    expect(rows).toEqual([])
    expect(printers).toMatchObject([{ name: 'Grill', printed: 2, copies: 1, doubts: 1, failed: 0 }])
    expect(printers[0]?.p50Ms).not.toBeNull()
  })
})

describe('what is counted', () => {
  it('is the same before and after it was thinned, and counted once', async () => {
    for (let n = 1; n <= 90; n++) await made(`pj_${n}`, n % 15)
    const groups: ReportBy[] = ['day', 'hour', 'weekday', 'type', 'station', 'printer']
    const before = await Promise.all(groups.map((by) => report(by)))
    await box.core.clock.advance(13 * HOUR)
    countAll()
    await made('pj_new', 3)
    countAll()
    const after = await Promise.all(groups.map((by) => report(by, '2026-01-01', before[0]?.today)))
    expect(new ReportBuckets(box.core.db).orders('2026-01-01', '2026-12-31', false).length).toBeGreaterThan(0)
    for (const [index, { total, rows, printers }] of before.entries()) {
      const isNext = after[index]?.today !== before[index]?.today
      const added = isNext ? 0 : 1
      expect(after[index]?.total.orders).toBe(total.orders + added)
      expect(after[index]?.total.late).toBe(total.late)
      expect(after[index]?.rows.reduce((sum, row) => sum + row.orders, 0)).toBe(
        rows.reduce((sum, row) => sum + row.orders, 0) + (rows.length > 0 ? added : 0),
      )
      expect(after[index]?.printers.length).toBe(printers.length)
    }
  })

  it('is not final within twelve hours: until then a Ready can be taken back', async () => {
    await made('pj_1', 5)
    await box.core.clock.advance(11 * HOUR)
    countAll()
    const { total } = await report('day')
    box.core.db.sqlite.prepare('update kitchen_orders set ready_at_ms = null').run()
    const { total: takenBack } = await report('day')
    expect([total, takenBack]).toMatchObject([
      { orders: 1, timed: 1 },
      { orders: 1, timed: 0, p50Ms: null },
    ])
    await box.core.clock.advance(2 * HOUR)
    countAll()
    expect(new ReportBuckets(box.core.db).orders('2026-01-01', '2026-12-31', false)).toMatchObject([{ timed: 0 }])
  })

  it('is counted once where it is counted while a report is being put together', async () => {
    const day = today()
    for (let n = 1; n <= 3; n++) await made(`pj_${n}`, 5)
    await box.core.clock.advance(13 * HOUR)
    const { db, clock, relayTime: time } = box.core
    const buckets = new ReportBuckets(db)
    const read = buckets.orders.bind(buckets)
    buckets.orders = (...days) => {
      countAll()
      return read(...days)
    }
    const reports = new KitchenReport({ buckets, source: new ReportSource(db), site: { timeZone: 'UTC' }, clock, time })
    const { total } = await reports.report({ from: day, to: day, by: 'day' })
    expect(buckets.counted().position).toBeGreaterThan(0)
    expect(total.orders).toBe(3)
  })

  it('outlives the history that it was counted from', async () => {
    await made('pj_1', 5)
    await box.core.clock.advance(31 * 24 * HOUR)
    countAll()
    while (box.core.history.prune(box.core.clock.now() - 30 * 24 * HOUR, 100) === 100);
    expect(box.core.history.recent(10)).toEqual([])
    expect((await report('day')).total).toMatchObject({ orders: 1, timed: 1 })
    expect((await report('printer')).printers).toMatchObject([{ printed: 1 }])
  })

  it('continues where new attempts get the numbers of deleted ones', async () => {
    await made('pj_1', null)
    countAll()
    await box.core.clock.advance(31 * 24 * HOUR)
    countAll()
    while (box.core.history.prune(box.core.clock.now() - 30 * 24 * HOUR, 100) === 100);
    await made('pj_2', null)
    countAll()
    expect((await report('printer')).printers).toMatchObject([{ printed: 2 }])
  })

  it('is forgotten after 400 days', async () => {
    await made('pj_1', 5)
    const day = today()
    await box.core.clock.advance(13 * HOUR)
    countAll()
    const buckets = new ReportBuckets(box.core.db)
    expect(buckets.orders(day, day, false)).toHaveLength(1)
    const later = box.core.clock.now() + 401 * 24 * HOUR
    newKeeper(() => later).countSome()
    expect([buckets.orders(day, day, false), buckets.prints(day, day)]).toEqual([[], []])
  })

  it('is postponed while tickets wait, but not forever: a broken printer must not stop the report', async () => {
    await made('pj_1', null)
    await box.core.clock.advance(13 * HOUR)
    box.core.transport('grill').down = OFFLINE
    await made('pj_waits', null)
    const buckets = new ReportBuckets(box.core.db)
    await keeper.start()
    await box.core.clock.advance(30 * MINUTE)
    expect(buckets.firstDay()).toBeNull()
    await box.core.clock.advance(60 * MINUTE)
    expect(buckets.firstDay()).toBe('2026-11-20')
    await keeper.stop()
  })
})

it('refuses days that make no sense, with the field', async () => {
  await expect(report('day', '2026-12-01', '2026-11-01')).rejects.toThrow('to: must not be before from')
  await expect(report('day', '2024-12-01', '2026-11-01')).rejects.toThrow('to: must be at most 400 days after from')
  await expect(report('day', '2026-13-01', '2026-11-01')).rejects.toThrow('from: must be a day')
})
