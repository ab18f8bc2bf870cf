// What the gateway hands back to a restored relay: orders of this kitchen only, in pieces, and their outcomes again.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LINK_LIMITS } from '#shared/wire/gateway-link.ts'
import type { HandBack } from '#shared/wire/hand-back.ts'
import { GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'
import { ForgottenJobs } from './forgotten-jobs.ts'

let core: GatewayCore
let forgotten: ForgottenJobs
beforeEach(() => {
  core = new GatewayCore([GRILL])
  forgotten = new ForgottenJobs(core.db, core.jobs.door)
})
afterEach(() => core.stop())

const take = (jobId: string, order: object = {}, origin: string | null = 'seal'): void => {
  const job = core.job(jobId, { order })
  core.intake.accept([{ ...job, doc: { ...(job.doc as object), ...(origin === null ? {} : { origin }) } }])
}
const ask = (after: number, upTo = core.identity.lastSeq(), locationId = 'loc_1'): HandBack | null =>
  forgotten.piece({ stream: core.identity.stream(), locationId, after, upTo })
const ids = (piece: HandBack | null): string[] => piece?.jobs.map(({ jobId }) => jobId) ?? []

describe('a hand-back', () => {
  it('has the orders above the relay’s last number, in order, unchanged', () => {
    for (const id of ['pj_1', 'pj_2', 'pj_3']) take(id)
    const piece = ask(1)
    expect([ids(piece), piece?.after, piece?.upTo]).toEqual([['pj_2', 'pj_3'], 1, 3])
    expect(piece?.jobs[0]).toMatchObject({
      seq: 2,
      doc: { kind: 'order', origin: 'seal', order: { orderId: 'O-pj_2' } },
    })
  })

  it('has nothing of another kitchen, of another stream, or without the seal of a relay', () => {
    take('pj_1', { locationId: 'loc_before' })
    take('pj_2', {}, null)
    take('pj_3')
    expect(ids(ask(0))).toEqual(['pj_3'])
    expect(ids(ask(0, 3, 'loc_before'))).toEqual(['pj_1'])
    expect(forgotten.piece({ stream: 'other', locationId: 'loc_1', after: 0, upTo: 3 })?.jobs).toEqual([])
  })

  it('fits a message, reports its progress, and leaves nothing out between two pieces', () => {
    const note = 'n'.repeat(30_000)
    const all = Array.from({ length: 10 }, (_, n) => `pj_${n}`)
    for (const id of all) take(id, { note })
    const got: string[] = []
    for (let after = 0; after < 10; ) {
      const piece = ask(after)
      expect(JSON.stringify(piece).length).toBeLessThan(LINK_LIMITS.jobBytes)
      got.push(...ids(piece))
      after = piece?.upTo ?? 10
    }
    expect(got).toEqual(all)
  })

  it('sends an order that is larger than a piece alone', () => {
    take('pj_1', { note: 'n'.repeat(120_000) })
    take('pj_2')
    const piece = ask(0)
    expect([ids(piece), piece?.upTo]).toEqual([['pj_1'], 1])
    expect(ids(ask(1))).toEqual(['pj_2'])
  })

  it('ends when the relay has requested everything', () => {
    take('pj_1')
    expect(ask(1, 1)).toBeNull()
  })
})

describe('outcomes', () => {
  it('are reported again once the relay has stored their jobs, and not before', async () => {
    await core.queue.start()
    take('pj_1')
    await core.result('pj_1')
    core.reports.acknowledge(['pj_1'])
    await core.pass(0)
    ask(0)
    expect(core.reports.isEmpty()).toBe(true)
    forgotten.stored(1)
    expect(core.reports.open(10)).toMatchObject([{ jobId: 'pj_1', payload: { state: 'printed' } }])
    core.reports.acknowledge(['pj_1'])
    forgotten.stored(1)
    expect(core.reports.isEmpty()).toBe(true)
  })

  it('are not reported if the relay repeats its request: the piece, or what follows from it, was lost', async () => {
    await core.queue.start()
    for (const id of ['pj_1', 'pj_2']) {
      take(id)
      await core.result(id)
    }
    core.reports.acknowledge(['pj_1', 'pj_2'])
    await core.pass(0)
    ask(1)
    forgotten.stored(1)
    expect(core.reports.isEmpty()).toBe(true)
    ask(1)
    forgotten.stored(2)
    expect(core.reports.open(10)).toMatchObject([{ jobId: 'pj_2' }])
  })
})
