// One gateway's session: how much is sent before an acknowledgement, when it is sent again, and what is written down. On a real SQLite file.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { jobDoc, LINK_LIMITS } from '#shared/wire/gateway-link.ts'
import { LinkDesk } from '#test/fixtures/link-desk.ts'
import { COUNTS, ONE_FAULT, ofOneRun } from '#test/harness/units-twice.ts'
import type { GatewaySession } from './gateway-session.ts'

let desk: LinkDesk

beforeEach(async () => {
  desk = await LinkDesk.open()
})

afterEach(async () => {
  vi.restoreAllMocks()
  await desk.close()
})

/** The session of the gateway, which has sent hello. */
async function opened(change: Parameters<LinkDesk['hello']>[0] = {}): Promise<GatewaySession> {
  await desk.hello(change)
  const session = desk.dispatcher.session(desk.gatewayId)
  if (session === null) throw new Error('the gateway was not welcomed')
  return session
}

async function insertAll(count: number, options: Parameters<LinkDesk['insert']>[1] = {}): Promise<void> {
  for (let n = 1; n <= count; n++) await desk.insert(`pj_${n}`, options)
  await desk.quiet()
}

/** Seconds at which something of the stream went out in the next `ms`, counted from now. */
async function sendings(ms: number): Promise<number[]> {
  const startMs = desk.clock.monotonicMs()
  const at: number[] = []
  let before = desk.stream().length
  while (desk.clock.monotonicMs() < startMs + ms) {
    await desk.clock.advance(1_000)
    const now = desk.stream().length
    if (now > before) at.push((desk.clock.monotonicMs() - startMs) / 1_000)
    before = now
  }
  return at
}

describe('the window', () => {
  it('lets out 16 jobs, and one more for each that is acknowledged', async () => {
    const session = await opened()
    await insertAll(20)
    expect(desk.stream()).toHaveLength(LINK_LIMITS.windowJobs)
    expect(session.hasRoom).toBe(false)
    desk.ack(1)
    await desk.quiet()
    expect(desk.stream().at(-1)).toBe('17 pj_17')
    desk.ack(17)
    await desk.quiet()
    expect(desk.stream().slice(-3)).toEqual(['18 pj_18', '19 pj_19', '20 pj_20'])
  })

  it('lets out so many bytes, and what is left over when they are acknowledged', async () => {
    await opened()
    const noteLength = 60_000
    await insertAll(6, { noteLength })
    expect(desk.stream()).toHaveLength(Math.floor(LINK_LIMITS.windowBytes / noteLength))
    desk.ack(2)
    await desk.quiet()
    expect(desk.stream()).toHaveLength(6)
  })

  it('lets out no more after a hello than before it', async () => {
    await opened()
    await insertAll(20)
    desk.said.length = 0
    const session = await opened({ e: 2 })
    expect(desk.stream()).toHaveLength(LINK_LIMITS.windowJobs)
    expect(session.behind).toBe(false)
    desk.ack(16, { e: 2 })
    await desk.quiet()
    expect(desk.stream().slice(-1)).toEqual(['20 pj_20'])
  })

  it('counts bytes after a hello too', async () => {
    await opened()
    await insertAll(6, { noteLength: 60_000 })
    desk.ack(2)
    await desk.quiet()
    desk.said.length = 0
    // What it had, it has lost: all six are to be sent again.
    const session = await opened({ e: 2, last: 0 })
    expect(desk.stream()).toHaveLength(4)
    expect(session.behind).toBe(true)
    desk.ack(4, { e: 2 })
    await desk.quiet()
    expect(desk.stream()).toHaveLength(6)
  })
})

describe('without an acknowledgement', () => {
  beforeEach(async () => {
    await opened()
    await insertAll(2)
  })

  it('everything is sent again after 2 seconds, then ever more rarely, and from then on every 32 seconds: forever, but no flood', async () => {
    expect(await sendings(190_000)).toEqual([2, 6, 14, 30, 62, 94, 126, 158, 190])
    expect(desk.stream().slice(-2)).toEqual(['1 pj_1', '2 pj_2'])
  })

  it('only what is missing is sent again, soon again after there was progress', async () => {
    await sendings(30_000)
    desk.ack(1)
    desk.said.length = 0
    expect(await sendings(6_000)).toEqual([2, 6])
    expect(desk.stream()).toEqual(['2 pj_2', '2 pj_2'])
  })

  it('nothing is sent again once everything is acknowledged', async () => {
    desk.ack(2)
    expect(await sendings(120_000)).toEqual([])
  })

  it('nothing is sent again when the gateway has gone', async () => {
    desk.dispatcher.drop(desk.gatewayId)
    expect(await sendings(120_000)).toEqual([])
  })

  it('its timer restarts with what is sent because of a gap', async () => {
    await desk.clock.advance(1_500)
    desk.nack(0, 'gap')
    desk.said.length = 0
    await desk.clock.advance(1_900)
    expect(desk.stream()).toEqual([])
    await desk.clock.advance(100)
    expect(desk.stream()).toHaveLength(2)
  })
})

it('a gap is repaired once in a tenth of a second: a gateway that misses one number reports it for each message that follows', async () => {
  await opened()
  await insertAll(3)
  desk.said.length = 0
  for (let i = 0; i < 3; i++) desk.nack(0, 'gap')
  expect(desk.stream()).toHaveLength(3)
  await desk.clock.advance(100)
  desk.nack(0, 'gap')
  expect(desk.stream()).toHaveLength(6)
  expect(desk.counted.filter((it) => it === 'rewound')).toHaveLength(2)
})

describe('an acknowledgement', () => {
  ofOneRun(COUNTS)('is on disk a moment later, with all others of that moment', async () => {
    await opened()
    await insertAll(3)
    const accepts = vi.spyOn(desk.api.stores.dispatches, 'accept')
    desk.ack(1)
    desk.ack(2)
    desk.ack(3)
    await desk.quiet()
    expect(await desk.row('pj_3')).toMatchObject({ state: 'sent' })
    await desk.clock.advance(25)
    await desk.quiet()
    expect(await desk.row('pj_1')).toMatchObject({ state: 'accepted' })
    expect(await desk.row('pj_3')).toMatchObject({ state: 'accepted' })
    expect(accepts).toHaveBeenCalledTimes(1)
  })

  it('is written with the next claim, when there is one', async () => {
    await opened()
    await insertAll(1)
    desk.ack(1)
    await desk.insert('pj_2')
    await desk.quiet()
    expect(await desk.row('pj_1')).toMatchObject({ state: 'accepted' })
  })

  it('of a number that was never sent is ignored', async () => {
    const session = await opened()
    await insertAll(1)
    desk.ack(2)
    expect(session.acked).toBe(0)
    expect(desk.api.logLines.join('')).toContain('acknowledgement of a number that was never sent')
  })

  it('of less than before takes nothing back', async () => {
    const session = await opened()
    await insertAll(2)
    desk.ack(2)
    desk.ack(1)
    expect(session.acked).toBe(2)
  })

  ofOneRun(ONE_FAULT)('that could not be written is told by the next hello, and costs no order', async () => {
    await opened()
    await insertAll(1)
    vi.spyOn(desk.api.stores.dispatches, 'accept').mockRejectedValueOnce(new Error('disk I/O error'))
    desk.ack(1)
    await desk.clock.advance(25)
    await desk.quiet()
    expect(await desk.row('pj_1')).toMatchObject({ state: 'sent' })
    expect(desk.api.logLines.join('')).toContain('acceptance could not be stored')
    desk.said.length = 0
    await opened({ e: 2, last: 1 })
    expect(desk.stream()).toEqual([])
    expect(await desk.row('pj_1')).toMatchObject({ state: 'accepted' })
  })

  ofOneRun(ONE_FAULT)('that was undone with the claim beside it is written with the next one', async () => {
    await opened()
    await insertAll(1)
    desk.ack(1)
    await desk.quiet()
    vi.spyOn(desk.api.stores.dispatches, 'claim').mockRejectedValueOnce(new Error('disk I/O error'))
    await desk.insert('pj_2')
    await desk.quiet()
    expect(desk.stream()).toEqual(['1 pj_1'])
    await desk.clock.advance(500)
    await desk.quiet()
    expect(desk.stream()).toEqual(['1 pj_1', '2 pj_2'])
    expect(await desk.row('pj_1')).toMatchObject({ state: 'accepted' })
  })
})

it('a session that has ended sends nothing more', async () => {
  const session = await opened()
  session.close()
  desk.said.length = 0
  session.say({ t: 'rehello', withinMs: 0 })
  session.rewind()
  expect(await session.next()).toEqual([])
  expect(desk.said).toEqual([])
})

describe('the details of an order', () => {
  /** Table and note of the first line, as they went out. */
  function said(): [unknown, string] {
    const doc = jobDoc.parse(desk.of('job')[0]?.['doc'])
    if (!('order' in doc)) throw new Error('no order went out')
    return [doc.order.table, doc.order.items[0]?.note ?? '']
  }

  it('go as they are to a gateway that prints them', async () => {
    await opened({ caps: ['order-details'] })
    await desk.insert('pj_1', { table: '12' })
    await desk.quiet()
    expect(said()).toEqual(['12', ''])
  })

  it('go as words within the notes to an older one, which prints those', async () => {
    await opened({ caps: [] })
    await desk.insert('pj_1', { table: '12' })
    await desk.quiet()
    expect(said()).toEqual([undefined, 'TABLE 12'])
  })
})
