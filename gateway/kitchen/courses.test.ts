// Courses on a real SQLite file: the first prints at once, each later one when it is fired, once, by any source and in any circumstances.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KitchenSender } from '#gateway/link/kitchen-sender.ts'
import type { OpenFact } from '#gateway/storage/kitchen-store.ts'
import { KitchenRoom } from '#test/doubles/kitchen-room.ts'

let room: KitchenRoom

beforeEach(async () => {
  room = new KitchenRoom()
  await room.kitchen.start()
  await room.core.queue.start()
})

afterEach(() => room.stop())

const line = (name: string, course: number | undefined, station = 'grill') => ({
  ...{ umsId: name, name, qty: 1, modifiers: [], station },
  ...(course === undefined ? {} : { course }),
})
const MENU = { items: [line('Soup', 1), line('Steak', 2), line('Cake', 3, 'fry')] }

/** Text of every ticket that the printer got. */
const papers = () => room.core.transport('grill').sent.map(({ text }) => text)
const fire = (course: number) => room.send(room.act('fire', 'ord_1', { course }))[0]
const arrive = async (over = {}) => {
  await room.arrive('pj_1', { order: { ...MENU, ...over } })
  await room.core.pass(1_000)
}
const fireFromRelay = (jobId: string, course: number) => {
  const doc = { kind: 'fire', order: room.core.order(MENU), course, firedAtMs: room.core.clock.now() }
  room.core.accept(jobId, { doc })
}
const ended = (jobId: string) => room.core.reports.open(100).find((report) => report.jobId === jobId)?.payload

describe('an order with courses', () => {
  it('prints its lowest course at once and only lists the others', async () => {
    await arrive()
    expect(papers()).toHaveLength(1)
    expect(papers()[0]).toContain('Soup')
    expect(papers()[0]).toContain('HOLD COURSE 2: 1 Steak')
    expect(papers()[0]).toContain('HOLD COURSE 3: 1 Cake')
    expect(await room.core.result('pj_1')).toMatchObject({ state: 'printed' })
    expect(room.kitchen.board.find('ord_1')?.courses).toEqual([
      { course: 2, stations: ['grill'], firedAtMs: null },
      { course: 3, stations: ['fry'], firedAtMs: null },
    ])
  })

  it('holds nothing when all lines are of one course, whatever its number', async () => {
    await arrive({ items: [line('Steak', 2), line('Water', undefined)] })
    expect(papers()[0]).toContain('Steak')
    expect(papers()[0]).not.toContain('HOLD')
    expect(room.kitchen.board.find('ord_1')?.courses).toEqual([])
  })

  it('prints a course when it is fired, and never a second time', async () => {
    await arrive()
    expect(fire(2)).toMatchObject({ outcome: 'done' })
    expect(fire(2)).toMatchObject({ outcome: 'already' })
    expect(room.kitchen.fire('ord_1', 2)).toBe('already')
    await room.core.pass(1_000)
    expect(papers()).toHaveLength(2)
    expect(papers()[1]).toContain('*** FIRE COURSE 2 ***')
    expect(papers()[1]).toContain('Steak')
    expect(papers()[1]).not.toContain('Soup')
  })

  it('refuses a course that the order has not, or that was never held', async () => {
    await arrive()
    expect(fire(1)).toMatchObject({ outcome: 'refused', reason: 'unknown-course' })
    expect(fire(9)).toMatchObject({ outcome: 'refused', reason: 'unknown-course' })
    expect(room.kitchen.fire('ord_9', 2)).toBe('unknown-order')
  })

  it('keeps what was fired over a power cut', async () => {
    await arrive()
    fire(2)
    await room.powerCut()
    expect(fire(2)).toMatchObject({ outcome: 'already' })
    await room.core.queue.start()
    await room.core.pass(1_000)
    expect(papers().filter((text) => text.includes('FIRE COURSE 2'))).toHaveLength(1)
    expect(room.kitchen.board.find('ord_1')?.courses.map(({ firedAtMs }) => firedAtMs !== null)).toEqual([true, false])
  })

  it('leaves out of a reprint what is still held', async () => {
    await arrive()
    fire(2)
    const target = { printerId: null, station: null, copies: 1 }
    await room.arrive('pj_r', { doc: { kind: 'reprint', order: room.core.order(MENU), target } })
    await room.core.pass(1_000)
    const reprint = papers().find((text) => text.includes('REPRINT'))
    expect(reprint).toContain('Soup')
    expect(reprint).toContain('Steak')
    expect(reprint).not.toContain('HOLD COURSE 2')
    expect(reprint).toContain('HOLD COURSE 3: 1 Cake')
  })

  it('prints again what only the relay knows to be fired: at a box that replaced the one that fired it', async () => {
    const target = { printerId: null, station: null, copies: 1 }
    await room.arrive('pj_r', { doc: { kind: 'reprint', order: room.core.order(MENU), target, fired: [2] } })
    await room.core.pass(1_000)
    expect(papers()).toHaveLength(1)
    expect(papers()[0]).toContain('Steak')
    expect(papers()[0]).not.toContain('HOLD COURSE 2')
    expect(papers()[0]).toContain('HOLD COURSE 3: 1 Cake')
  })
})

describe('relay and kitchen fire the same course', () => {
  it('prints it once when the relay was first', async () => {
    await arrive()
    fireFromRelay('pj_f', 2)
    expect(fire(2)).toMatchObject({ outcome: 'already' })
    await room.core.pass(1_000)
    expect(papers().filter((text) => text.includes('FIRE COURSE 2'))).toHaveLength(1)
    expect(ended('pj_f')).toMatchObject({ state: 'printed', tickets: [{ state: 'printed' }] })
    expect(room.facts()).toEqual([])
  })

  it('prints it once when the kitchen fired first, and answers the relay that nothing was added', async () => {
    await arrive()
    fire(2)
    fireFromRelay('pj_f', 2)
    await room.core.pass(1_000)
    expect(papers().filter((text) => text.includes('FIRE COURSE 2'))).toHaveLength(1)
    expect(ended('pj_f')).toMatchObject({ state: 'cancelled', reason: 'already-fired', tickets: [] })
    expect(room.facts()).toEqual(['ord_1 fired'])
  })

  it('shows on the board what the relay fired', async () => {
    await arrive()
    fireFromRelay('pj_f', 3)
    await room.core.clock.advance(0)
    expect(room.kitchen.board.find('ord_1')?.courses.map(({ firedAtMs }) => firedAtMs !== null)).toEqual([false, true])
  })
})

describe('the kitchen’s work on courses', () => {
  it('is ready only when every course was fired and made', async () => {
    await arrive()
    room.send(room.act('ready'))
    await room.core.pass(10_000)
    expect(room.facts()).toEqual([])
    expect(room.send(room.act('pick-up'))).toMatchObject([{ outcome: 'refused', reason: 'courses-held' }])
    fire(2)
    fire(3)
    await room.core.pass(1_000)
    // What was ready before has work again.
    const { stations } = room.kitchen.board.find('ord_1') ?? {}
    expect(stations?.map(({ readyAtMs }) => readyAtMs)).toEqual([null, null])
    room.send(room.act('ready'))
    await room.core.pass(10_000)
    expect(room.kitchen.board.find('ord_1')?.readyAtMs).not.toBeNull()
    expect(room.facts()).toEqual(['ord_1 fired'])
    room.kitchen.facts.acknowledge([{ orderId: 'ord_1', fact: 'fired', course: 2 }], room.core.clock.now())
    room.kitchen.facts.acknowledge([{ orderId: 'ord_1', fact: 'fired', course: 3 }], room.core.clock.now())
    expect(room.facts()).toEqual(['ord_1 ready'])
  })

  it('keeps its order’s own time when a course is fired, and what was made before struck off, over later acts and a power cut', async () => {
    await arrive()
    const dueAtMs = room.kitchen.board.find('ord_1')?.dueAtMs
    room.send(room.act('ready', 'ord_1', { stations: ['grill'] }))
    await room.core.pass(10_000)
    fire(2)
    fire(3)
    await room.core.clock.advance(0)
    expect(room.kitchen.board.find('ord_1')).toMatchObject({ dueAtMs, struckLines: [0] })
    room.send(room.act('start', 'ord_1', { stations: ['grill'] }))
    await room.powerCut()
    expect(room.kitchen.board.find('ord_1')).toMatchObject({ dueAtMs, struckLines: [0] })
    room.send(room.act('unstrike', 'ord_1', { line: 0 }))
    expect(room.kitchen.board.find('ord_1')?.struckLines).toEqual([])
  })

  it('is not ready by a Ready that waited on a tablet since before the fire: that was of the earlier course', async () => {
    await arrive()
    const late = room.act('ready')
    await room.core.pass(1_000)
    fire(2)
    fire(3)
    await room.core.pass(1_000)
    room.send(late)
    await room.core.pass(10_000)
    expect(room.kitchen.board.find('ord_1')).toMatchObject({ readyAtMs: null, struckLines: [0] })
    expect(room.facts()).toEqual(['ord_1 fired'])
  })

  it('takes back with the order what was fired here: waiting tickets do not print, paper gets a VOID slip', async () => {
    await arrive()
    fire(2)
    await room.core.pass(1_000)
    room.core.transport('grill').down = { kind: 'blocked', reason: 'media-empty', detail: '' }
    fire(3)
    await room.core.pass(1_000)
    room.core.intake.cancel('pj_1', true)
    room.core.transport('grill').down = null
    await room.core.pass(60_000)
    const later = papers().slice(2)
    expect(later.filter((text) => text.includes('VOID') && text.includes('Steak'))).toHaveLength(1)
    expect(later.filter((text) => text.includes('FIRE COURSE 3'))).toEqual([])
    expect(fire(3)).toMatchObject({ outcome: 'refused', reason: 'voided' })
  })

  it.each([
    ['knows courses', true, ['fired', 'fired']],
    ['knows none', false, []],
  ])('tells a relay that %s', async (_, withFired, told) => {
    await arrive()
    fire(2)
    fire(3)
    const sent: OpenFact[] = []
    const { clock, relayTime } = room.core
    const sender = new KitchenSender({ facts: room.kitchen.facts, relayTime, clock }, (facts) => {
      sent.push(...facts)
      sender.acknowledged(facts)
    })
    sender.start(withFired)
    await clock.advance(0)
    sender.stop()
    expect(sent.map(({ fact }) => fact)).toEqual(told)
  })

  it('prints nothing of an order without paper that a client fires, and shows it', async () => {
    const order = room.core.order(MENU)
    await room.arrive('pj_1', { doc: { kind: 'board', order }, expiresAt: room.core.clock.now() + 12 * 3_600_000 })
    const doc = { kind: 'fire', order, course: 2, firedAtMs: room.core.clock.now(), isWithoutPaper: true }
    room.core.accept('pj_f', { doc })
    await room.core.pass(1_000)
    expect(papers()).toEqual([])
    expect(ended('pj_f')).toMatchObject({ state: 'cancelled', reason: 'without-paper', tickets: [] })
    expect(room.kitchen.board.find('ord_1')?.courses[0]?.firedAtMs).not.toBeNull()
    expect(fire(2)).toMatchObject({ outcome: 'already' })
  })

  it('works without paper', async () => {
    const doc = { kind: 'board', order: room.core.order(MENU) }
    await room.arrive('pj_1', { doc, expiresAt: room.core.clock.now() + 12 * 3_600_000 })
    expect(fire(2)).toMatchObject({ outcome: 'done' })
    expect(fire(2)).toMatchObject({ outcome: 'already' })
    await room.core.pass(1_000)
    expect(papers()).toEqual([])
    expect(room.facts()).toEqual(['ord_1 fired'])
  })
})
