// Fire times and expiries on relay time, without internet, whatever the wall clock does.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fillDisk } from '#test/doubles/full-disk.ts'
import { GatewayCore } from '#test/doubles/gateway-core.ts'

describe('HeldOrders', () => {
  let core: GatewayCore
  beforeEach(async () => {
    core = new GatewayCore()
    await core.queue.start()
    await core.held.start()
  })
  afterEach(() => core.stop())
  const inMs = (ms: number) => core.relayTime.now() + ms

  it('fires a ticket at its time, with intent in the same commit', async () => {
    core.accept('pj_1', { notBefore: inMs(600_000), order: { fireAtMs: inMs(600_000) } })
    await core.clock.advance(599_000)
    expect(core.states()).toEqual({ 'pj_1-1': 'held' })
    const before = core.db.commits
    let commitsAtSend = 0
    core.transport('grill').events.subscribe((event) => {
      if (event === 'send') commitsAtSend = core.db.commits - before
    })
    await core.clock.advance(1_000)
    expect(commitsAtSend).toBe(1)
    expect((await core.result('pj_1')).state).toBe('printed')
    expect(core.transport('grill').sent[0]?.text).not.toContain('LATE')
  })

  it('is not moved by a jump of the wall clock', async () => {
    core.accept('pj_1', { notBefore: inMs(60_000) })
    core.clock.jump(86_400_000)
    await core.clock.advance(30_000)
    expect(core.states()).toEqual({ 'pj_1-1': 'held' })
    core.clock.jump(-3 * 86_400_000)
    await core.clock.advance(30_000)
    expect(core.states()).toEqual({ 'pj_1-1': 'printed' })
  })

  it('follows a correction of the relay time within 15 s', async () => {
    core.accept('pj_1', { notBefore: inMs(3_600_000) })
    const t = core.clock.monotonicMs()
    const relayNow = core.relayTime.now() + 3_600_000
    core.relayTime.observe({ t0: t, t1: relayNow, t2: relayNow, t3: t })
    await core.clock.advance(15_000)
    expect(core.states()).toEqual({ 'pj_1-1': 'printed' })
  })

  it('prints fired tickets in the order of their times, after what waits already', async () => {
    const grill = core.transport('grill')
    core.accept('pj_late', { notBefore: inMs(120_000) })
    core.accept('pj_early', { notBefore: inMs(60_000) })
    grill.outcomes.push(() => grill.offline())
    grill.readiness.push(
      ...Array.from({ length: 400 }, () => ({ kind: 'offline', reason: 'offline', detail: '' }) as const),
    )
    core.accept('pj_now')
    await core.clock.advance(125_000)
    expect(core.history.counts().queued).toBe(3)
    grill.readiness.length = 0
    await core.clock.advance(1_000)
    expect(grill.sent.map(({ attemptId }) => attemptId)).toEqual([
      'pj_now-1.1',
      'pj_now-1.1',
      'pj_early-1.1',
      'pj_late-1.1',
    ])
  })

  it('expires what could not be printed by its time, and reports it', async () => {
    const grill = core.transport('grill')
    grill.outcomes.push(() => grill.offline())
    grill.readiness.push(
      ...Array.from({ length: 400 }, () => ({ kind: 'offline', reason: 'offline', detail: '' }) as const),
    )
    core.accept('pj_1', { expiresAt: inMs(20_000) })
    core.accept('pj_2', { expiresAt: inMs(-1) })
    expect((await core.result('pj_2')).state).toBe('expired')
    await core.clock.advance(0)
    await core.clock.advance(20_000)
    const result = await core.result('pj_1')
    expect(result).toMatchObject({ state: 'expired', reason: 'expired' })
    grill.readiness.length = 0
    await core.clock.advance(30_000)
    expect(grill.sent).toHaveLength(1)
  })

  it('fires what fell due while the program was down', async () => {
    core.accept('pj_1', { notBefore: inMs(60_000) })
    core = core.crash()
    await core.clock.advance(60_000)
    await core.queue.start()
    await core.held.start()
    expect((await core.result('pj_1')).state).toBe('printed')
  })

  it('after a start gives the relay a moment to correct the wall clock, before it fires by it', async () => {
    core.accept('pj_1', { notBefore: inMs(600_000) })
    const right = core.relayTime.now()
    core.clock.jump(3_600_000)
    core = core.crash()
    core.isTimeKnown = () => core.relayTime.offsetMs() !== null
    await core.queue.start()
    await core.held.start()
    await core.clock.advance(1_000)
    const t = core.clock.monotonicMs()
    core.relayTime.observe({ t0: t, t1: right + 1_000, t2: right + 1_000, t3: t })
    await core.clock.advance(500_000)
    expect(core.states()).toEqual({ 'pj_1-1': 'held' })
    await core.clock.advance(100_000)
    expect(core.states()).toEqual({ 'pj_1-1': 'printed' })
  })

  it('fires by the clock that it has when the relay stays away', async () => {
    core.accept('pj_1', { notBefore: inMs(60_000) })
    core.clock.jump(60_000)
    core = core.crash()
    core.isTimeKnown = () => false
    await core.queue.start()
    await core.held.start()
    await core.clock.advance(2_000)
    expect(core.states()).toEqual({ 'pj_1-1': 'held' })
    await core.clock.advance(3_000)
    expect((await core.result('pj_1')).state).toBe('printed')
  })

  it('fires what fell due while the disk was full as soon as there is room', async () => {
    core.accept('pj_1', { notBefore: inMs(60_000) })
    const makeRoom = fillDisk(core.db.sqlite)
    await core.clock.advance(90_000)
    expect(core.states()).toEqual({ 'pj_1-1': 'held' })
    makeRoom()
    await core.clock.advance(1_000)
    expect((await core.result('pj_1')).state).toBe('printed')
  })
})

describe('an order that is taken back before its time and may be on paper already', () => {
  let core: GatewayCore
  beforeEach(() => {
    core = new GatewayCore()
  })
  afterEach(() => core.stop())
  /** The relay has no result of its first copy; the same order at once, and at its time. */
  const both = (over: object = {}): void => {
    core.set('grill', { paused: true })
    core.accept('pj_1', { possibleDuplicate: true, ...over })
    core.accept('pj_2', { possibleDuplicate: true, notBefore: core.clock.now() + 60_000, ...over })
    expect(core.states()).toEqual({ 'pj_1-1': 'queued', 'pj_2-1': 'held' })
  }

  it('gets its VOID slip by the same rule as one that waits for its printer', async () => {
    both()
    expect(['pj_1', 'pj_2'].map((jobId) => core.jobs.cancel(jobId, true))).toEqual(['too_late', 'too_late'])
    const ends = { 'pj_1-1': 'uncertain', 'pj_2-1': 'uncertain' }
    expect(core.states()).toEqual({ ...ends, 'pj_1-1-void': 'queued', 'pj_2-1-void': 'queued' })
    expect((await core.result('pj_2')).state).toBe('uncertain')
  })

  it('is uncertain too when somebody at the box cancels it, or when its expiry passes', async () => {
    both({ expiresAt: core.clock.now() + 30_000 })
    expect(core.acts.cancel('pj_2-1').ok).toBe(true)
    expect(core.states()['pj_2-1']).toBe('uncertain')
    core.accept('pj_3', {
      ...{ possibleDuplicate: true, notBefore: core.clock.now() + 60_000, expiresAt: core.clock.now() + 30_000 },
    })
    await core.clock.advance(30_000)
    core.jobs.expireDue()
    expect(core.states()).toEqual({ 'pj_1-1': 'uncertain', 'pj_2-1': 'uncertain', 'pj_3-1': 'uncertain' })
  })

  it('is cancelled without a slip when no copy of it can be on paper', () => {
    core.accept('pj_1', { notBefore: core.clock.now() + 60_000 })
    expect(core.jobs.cancel('pj_1', true)).toBe('cancelled')
    expect(core.states()).toEqual({ 'pj_1-1': 'cancelled' })
  })
})
