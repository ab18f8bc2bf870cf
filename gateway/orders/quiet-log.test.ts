// The log is read by people who must not see what guests eat or their names: no path of a job writes a word of the order's text into it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import { KitchenRoom } from '#test/doubles/kitchen-room.ts'
import { OFFLINE } from '#test/doubles/scripted-transport.ts'

let room: KitchenRoom
beforeEach(async () => {
  room = new KitchenRoom()
  await room.kitchen.start()
  await room.core.queue.start()
})
afterEach(() => room.stop())

const TARGET = { printerId: null, station: null, copies: 1 }
const line = (name: string, course: number) => ({
  umsId: 'u',
  name: `Canary ${name}`,
  qty: 1,
  note: 'canary note',
  allergens: ['canary nuts'],
  modifiers: [{ umsId: 'm', name: 'canary cheese', verb: 'add', group: 'Canary sauce' }],
  station: 'grill',
  course,
})
/** Every text that a person may have written. */
const order = () =>
  room.core.order({
    customer: { name: 'Ana Canary', phone: '555-0101' },
    items: [line('Soup', 1), line('Steak', 2)],
    orderType: 'canary type',
    table: 'canary 12',
    server: 'Canary Kim',
    note: 'canary birthday',
    allergens: ['canary sesame'],
    addOnTo: 'canary O-0',
  })
const print = () => ({
  ...{ merchantId: 'M-1', locationId: 'loc_1', timeZone: 'America/New_York', queuedAtMs: room.core.clock.now() },
  ...{ title: 'Canary title', content: [{ type: 'text' as const, text: 'canary no salmon' }], target: TARGET },
})
const documents: [string, () => unknown][] = [
  ['an order', () => ({ kind: 'order', order: order() })],
  ['an order for the displays alone', () => ({ kind: 'board', order: order() })],
  ['a fired course', () => ({ kind: 'fire', order: order(), course: 2, firedAtMs: room.core.clock.now() })],
  ['a reprint', () => ({ kind: 'reprint', order: order(), target: TARGET })],
  ['a note', () => ({ kind: 'note', print: print() })],
  ['a receipt', () => ({ kind: 'receipt', print: print() })],
  ['a label', () => ({ kind: 'label', print: print() })],
  ['a document of an unknown kind', () => ({ kind: 'canary', order: order() })],
  [
    'an order whose fields are wrong',
    () => ({ kind: 'order', order: { ...order(), items: 'canary', guests: 'canary' } }),
  ],
]
const arrive = (jobId: string, doc: unknown) => room.arrive(jobId, { doc: doc as JobDoc })
/** Distinguishes this from a log that writes nothing. */
const expectQuiet = (): void => {
  expect(room.core.logged.join('')).toContain('"printJobId":"pj_1"')
  expect(room.core.logged.filter((written) => /canary|555-0101/i.test(written))).toEqual([])
}

describe('the log', () => {
  it.each(documents)('logs no text of %s that arrives, is not proven, and is withdrawn', async (_, doc) => {
    const { core } = room
    const grill = core.transport('grill')
    grill.outcomes.push(() => grill.uncertain())
    await arrive('pj_1', doc())
    await core.pass(2_000)
    grill.down = OFFLINE
    await arrive('pj_2', doc())
    await core.pass(2_000)
    for (const jobId of ['pj_1', 'pj_2', 'pj_3']) core.intake.cancel(jobId, true, 'canary reason')
    grill.down = null
    await core.pass(60_000)
    expectQuiet()
  })

  it('logs no text of an order that people handle', async () => {
    const { core } = room
    await arrive('pj_1', documents[0]?.[1]())
    await core.pass(1_000)
    room.send(room.act('fire', 'ord_1', { course: 2 }), room.act('ready'), room.act('pick-up'))
    core.queue.reprint('pj_1-1')
    core.transport('grill').down = OFFLINE
    await core.pass(60_000)
    core.queue.cancelTicket('pj_1-1')
    expectQuiet()
  })

  it('logs no text of a ticket that was damaged on disk', async () => {
    const { core } = room
    core.transport('grill').down = OFFLINE
    await arrive('pj_1', documents[0]?.[1]())
    core.db.sqlite.exec(`update jobs set doc = replace(doc, 'canary note', 'canary nose') where job_id = 'pj_1'`)
    core.transport('grill').down = null
    await core.pass(10_000)
    expect(core.logged.join('')).toContain('damaged')
    expectQuiet()
  })
})
