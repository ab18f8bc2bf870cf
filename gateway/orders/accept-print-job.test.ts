// Jobs that are not new orders: where they print, their marks when they are late, doubtful or cancelled, and what is kept of them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import type { PrintTarget } from '#shared/wire/print-doc.ts'
import { FRY, GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'
import { HistoryPruner } from './prune-history.ts'

const HOUR_MS = 3_600_000
const TARGET: PrintTarget = { printerId: null, station: null, copies: 1 }
let core: GatewayCore
beforeEach(() => {
  core = new GatewayCore([GRILL, FRY])
})
afterEach(() => core.stop())

function note(target: Partial<PrintTarget> = {}, kind: 'note' | 'receipt' | 'label' = 'note'): JobDoc {
  return {
    kind,
    print: {
      merchantId: 'M-1',
      locationId: 'loc_1',
      title: null,
      content: [{ type: 'text', text: 'CANARY no salmon' }],
      target: { ...TARGET, ...target },
      queuedAtMs: core.clock.now(),
      timeZone: 'America/New_York',
    },
  }
}

const reprint = (): JobDoc => ({ kind: 'reprint', order: core.order(), target: TARGET })
const paper = (printerId: string) => core.transport(printerId).sent.map(({ text }) => text)

describe('a note', () => {
  it('is printed by the printer of its station, each copy as a ticket', async () => {
    await core.queue.start()
    core.accept('pj_1', { doc: note({ station: 'fry', copies: 2 }) })
    expect(await core.result('pj_1')).toMatchObject({
      state: 'printed',
      tickets: [{ printerId: 'fry' }, { printerId: 'fry' }],
    })
    expect(paper('fry')).toEqual([expect.stringContaining('CANARY'), expect.stringContaining('KITCHEN NOTE')])
    expect(paper('grill')).toEqual([])
  })

  it('is marked when it is late, and when it may be on paper already', async () => {
    core.accept('pj_1', { doc: note(), possibleDuplicate: true })
    await core.clock.advance(11 * 60_000)
    await core.queue.start()
    await core.result('pj_1')
    expect(paper('grill')[0]).toMatch(/POSSIBLE DUPLICATE[\s\S]*LATE: sent/)
  })

  it('waits for the first printer when there is none yet', async () => {
    const bare = new GatewayCore([])
    bare.accept('pj_1', { doc: note({ station: 'grill' }) })
    bare.printers.apply([FRY, GRILL], bare.clock.now())
    bare.intake.assignUnrouted()
    await bare.queue.start()
    expect(await bare.result('pj_1')).toMatchObject({ tickets: [{ printerId: 'grill', state: 'printed' }] })
    await bare.stop()
  })

  it('that is taken back after printing gets a slip; one that waits never prints', async () => {
    core.accept('pj_1', { doc: note() })
    expect(core.intake.cancel('pj_1')).toBe('cancelled')
    await core.queue.start()
    core.accept('pj_2', { doc: note() })
    await core.result('pj_2')
    expect(core.intake.cancel('pj_2')).toBe('too_late')
    await core.clock.advance(0)
    expect(paper('grill')).toEqual([expect.stringContaining('CANARY'), expect.stringMatching(/VOID[\s\S]*DISREGARD/)])
  })

  it('leaves none of its text on the disk a day later', async () => {
    const { db, history, identity, relayTime: time, clock } = core
    const pruner = new HistoryPruner({ db, history, identity, time, clock, log: { info: () => {} } as never })
    await core.queue.start()
    core.accept('pj_1', { doc: note({}, 'receipt') })
    await core.result('pj_1')
    await pruner.start()
    await core.clock.advance(26 * HOUR_MS)
    await pruner.stop()
    expect(JSON.stringify(core.db.sqlite.prepare('select doc from jobs').all())).not.toContain('CANARY')
    expect(core.history.recent(1)).toMatchObject([{ kind: 'receipt', orderId: '', state: 'printed' }])
  })
})

describe('an order again', () => {
  it('carries the mark, and is never late', async () => {
    const doc = reprint()
    await core.clock.advance(HOUR_MS)
    await core.queue.start()
    core.accept('pj_1', { doc })
    await core.result('pj_1')
    expect(paper('grill')[0]).toContain('*** REPRINT ***')
    expect(paper('grill')[0]).not.toContain('LATE')
  })

  it('that is taken back after printing gets no slip: that would call the order off', async () => {
    await core.queue.start()
    core.accept('pj_1', { doc: reprint() })
    await core.result('pj_1')
    expect(core.intake.cancel('pj_1')).toBe('too_late')
    await core.clock.advance(0)
    expect(paper('grill')).toHaveLength(1)
  })

  it('of an order that is called off gets the slip, where the order itself has none', async () => {
    await core.queue.start()
    core.accept('pj_1', { doc: { kind: 'order', order: core.order() } })
    await core.result('pj_1')
    const there = paper('grill').length
    const copies = (printerId: string): JobDoc => ({
      kind: 'reprint',
      order: core.order(),
      target: { ...TARGET, printerId, copies: 2 },
    })
    core.accept('pj_2', { doc: copies('grill') })
    core.accept('pj_3', { doc: copies('fry') })
    await core.result('pj_3')
    for (const jobId of ['pj_1', 'pj_2', 'pj_3', 'pj_1', 'pj_2', 'pj_3'])
      expect(core.intake.cancel(jobId, true)).toBe('too_late')
    await core.clock.advance(0)
    const slips = (printerId: string) => paper(printerId).filter((text) => text.includes('*** VOID ***'))
    expect([there, slips('grill').length, slips('fry').length]).toEqual([1, 1, 1])
  })
})
