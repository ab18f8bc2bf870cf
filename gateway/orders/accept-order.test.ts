// Intake: what is taken from the stream, what is refused, and that nothing is taken twice.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FRY, GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'

describe('OrderIntake.accept', () => {
  let core: GatewayCore
  beforeEach(() => {
    core = new GatewayCore()
  })
  afterEach(() => core.stop())

  it('takes a batch in one durable commit', () => {
    const before = core.db.commits
    const jobs = [1, 2, 3].map((seq) => core.job(`pj_${seq}`, { seq }))
    expect(core.intake.accept(jobs)).toEqual({ last: 3, gap: false })
    expect(core.db.commits - before).toBe(1)
    expect(core.states()).toEqual({ 'pj_1-1': 'queued', 'pj_2-1': 'queued', 'pj_3-1': 'queued' })
    expect(core.crash().identity.lastSeq()).toBe(3)
  })

  it('takes nothing after a gap and reports it', () => {
    expect(core.intake.accept([core.job('pj_1', { seq: 1 }), core.job('pj_3', { seq: 3 })])).toEqual({
      last: 1,
      gap: true,
    })
    expect(Object.keys(core.states())).toEqual(['pj_1-1'])
  })

  it('takes a number once, whatever its content, and without a commit', () => {
    core.accept('pj_1')
    const before = core.db.commits
    expect(core.intake.accept([core.job('pj_other', { seq: 1 })])).toEqual({ last: 1, gap: false })
    expect(core.db.commits).toBe(before)
    expect(Object.keys(core.states())).toEqual(['pj_1-1'])
  })

  it('takes a job once, also under another number', () => {
    core.accept('pj_1')
    expect(core.intake.accept([core.job('pj_1', { seq: 2 })])).toEqual({ last: 2, gap: false })
    expect(Object.keys(core.states())).toEqual(['pj_1-1'])
  })

  it('reports a job again that arrives again after its end', async () => {
    await core.queue.start()
    core.accept('pj_1')
    const first = await core.result('pj_1')
    core.reports.acknowledge(['pj_1'])
    expect(core.reports.open(9)).toEqual([])
    core.intake.accept([core.job('pj_1', { seq: 2 })])
    expect(await core.result('pj_1')).toEqual(first)
    expect(core.transport('grill').sent).toHaveLength(1)
  })

  it('ignores jobs of another stream', () => {
    expect(core.intake.accept([core.job('pj_1', { stream: 'another' })])).toEqual({ last: 0, gap: false })
    expect(core.states()).toEqual({})
  })

  describe('without a proof that a document is as it was sent', () => {
    const bad = (seq = 1) => core.job(`pj_${seq}`, { seq, doc: { kind: 'orfer' } })
    const damaged = () => core.job('pj_1', { seq: 1, doc: { kind: 'ordes' } })
    const offer = (...jobs: Parameters<GatewayCore['intake']['accept']>[0]) => core.intake.accept(jobs, false)
    const isRefused = { last: 0, gap: true, unreadable: expect.stringContaining('invalid document') }

    it('does not take one that it cannot read, nor the ones behind it', () => {
      expect(offer(bad(), core.job('pj_2', { seq: 2 }))).toEqual(isRefused)
      expect([core.states(), core.reports.open(9)]).toEqual([{}, []])
    })

    it('takes it as failed when the same bytes arrive again: it is no damage, and the stream continues', () => {
      offer(bad())
      expect(offer(bad(), core.job('pj_2', { seq: 2 }))).toEqual({ last: 2, gap: false })
      expect(core.reports.open(9).map(({ payload }) => [payload.jobId, payload.state])).toEqual([['pj_1', 'failed']])
      expect(core.states()).toEqual({ 'pj_2-1': 'queued' })
    })

    it('does not take it when other bytes arrive again, also for another job', () => {
      offer(bad())
      expect(offer(damaged())).toEqual(isRefused)
      offer(core.job('pj_1', { seq: 1 }))
      expect(offer(bad(2))).toEqual({ ...isRefused, last: 1 })
    })

    it('takes what it can read at once', () => {
      offer(damaged())
      expect(offer(core.job('pj_1', { seq: 1 }))).toEqual({ last: 1, gap: false })
      expect(core.states()).toEqual({ 'pj_1-1': 'queued' })
    })
  })

  it('reports a document that it cannot read as failed, without quoting it, and continues', () => {
    const bad = core.job('pj_1', { seq: 1, doc: { kind: 'order', order: { customer: 'Ana Canary' } } })
    expect(core.intake.accept([bad, core.job('pj_2', { seq: 2 })])).toEqual({ last: 2, gap: false })
    const [report] = core.reports.open(9)
    expect(report?.payload).toMatchObject({ jobId: 'pj_1', state: 'failed', tickets: [] })
    expect(report?.payload.reason).toMatch(/^invalid document \(order\./)
    expect(JSON.stringify(report)).not.toContain('Canary')
    expect(core.states()).toEqual({ 'pj_2-1': 'queued' })
  })

  it('skips a number that the relay withdrew', () => {
    expect(core.intake.skip(2)).toEqual({ last: 0, gap: true })
    expect(core.intake.skip(1)).toEqual({ last: 1, gap: false })
    expect(core.intake.skip(1)).toEqual({ last: 1, gap: false })
    expect(core.intake.accept([core.job('pj_2', { seq: 2 })])).toEqual({ last: 2, gap: false })
  })

  it('marks a job that the relay marked', async () => {
    await core.queue.start()
    core.accept('pj_1', { possibleDuplicate: true })
    const result = await core.result('pj_1')
    expect(result.tickets[0]?.possibleDuplicate).toBe(true)
    expect(core.transport('grill').sent[0]?.text).toContain('POSSIBLE DUPLICATE')
  })
})

describe('OrderIntake with no printer yet', () => {
  it('keeps the tickets and prints them, by station, when printers are set up', async () => {
    const bare = new GatewayCore([])
    const items = ['grill', 'fry'].map((station) => ({ umsId: station, name: station, qty: 1, modifiers: [], station }))
    bare.accept('pj_1', { order: { items } })
    bare.accept('pj_2', { notBefore: bare.clock.now() + 60_000 })
    bare.db.close()

    const core = new GatewayCore([GRILL, FRY], { dir: bare.dir, clock: bare.clock })
    core.intake.assignUnrouted()
    await core.queue.start()
    expect((await core.result('pj_1')).tickets.map((t) => [t.printerName, t.state])).toEqual([
      ['Grill', 'printed'],
      ['Fry', 'printed'],
    ])
    expect(core.states()['pj_2-1']).toBe('held')
    await core.stop()
  })
})

describe('OrderIntake.cancel', () => {
  let core: GatewayCore
  beforeEach(() => {
    core = new GatewayCore([GRILL, FRY])
  })
  afterEach(() => core.stop())
  const both = ['grill', 'fry'].map((station) => ({ umsId: station, name: station, qty: 1, modifiers: [], station }))

  it('cancels tickets that wait, and reports it', () => {
    core.accept('pj_1')
    core.accept('pj_2', { notBefore: core.clock.now() + 60_000 })
    expect(core.intake.cancel('pj_1')).toBe('cancelled')
    expect(core.intake.cancel('pj_2')).toBe('cancelled')
    expect(core.states()).toEqual({ 'pj_1-1': 'cancelled', 'pj_2-1': 'cancelled' })
    expect(core.reports.open(9).map(({ payload }) => payload.state)).toEqual(['cancelled', 'cancelled'])
  })

  it('prints a VOID slip where the ticket is on paper, and gives the same answer again', async () => {
    await core.queue.start()
    core.accept('pj_1', { order: { items: both } })
    await core.result('pj_1')
    expect(core.intake.cancel('pj_1')).toBe('too_late')
    await Promise.all([core.transport('grill').sends(2), core.transport('fry').sends(2)])
    expect(core.intake.cancel('pj_1')).toBe('too_late')
    await core.clock.advance(1_000)
    for (const id of ['grill', 'fry']) {
      expect(core.transport(id).sent).toHaveLength(2)
      expect(core.transport(id).sent[1]?.text).toContain('VOID')
    }
  })

  it('prints the reason on the VOID slip, also after a power cut, and never a text that looks like a banner', async () => {
    await core.queue.start()
    core.accept('pj_1', { order: { items: both } })
    await core.result('pj_1')
    core.intake.cancel('pj_1', true, 'guest left *** VOID *** early')
    await Promise.all([core.transport('grill').sends(2), core.transport('fry').sends(2)])
    expect(core.transport('grill').sent[1]?.text).toMatch(/REASON: guest left/)
  })

  it('voids only where it is on paper when the other printer had not begun', async () => {
    core.transport('fry').outcomes.push(() => core.transport('fry').offline())
    await core.queue.start()
    core.accept('pj_1', { order: { items: both } })
    await core.clock.advance(0)
    expect(core.states()).toEqual({ 'pj_1-1': 'printed', 'pj_1-2': 'queued' })
    expect(core.intake.cancel('pj_1')).toBe('too_late')
    const result = await core.result('pj_1')
    expect([result.state, ...result.tickets.map((t) => t.state)]).toEqual(['printed', 'printed', 'cancelled'])
    await core.clock.advance(5_000)
    expect(core.transport('fry').sent).toHaveLength(1)
    expect(core.transport('grill').sent[1]?.text).toContain('VOID')
  })

  it('does not print a ticket again that was cancelled while it was being sent', async () => {
    const grill = core.transport('grill')
    let release = (): void => {}
    grill.outcomes.push(
      () =>
        new Promise((resolve) => {
          release = () => resolve(grill.uncertain())
        }),
    )
    await core.queue.start()
    core.accept('pj_1')
    await grill.sends(1)
    expect(core.intake.cancel('pj_1')).toBe('too_late')
    release()
    expect((await core.result('pj_1')).state).toBe('uncertain')
    await core.clock.advance(10_000)
    expect(grill.sent.map(({ text }) => text.includes('VOID'))).toEqual([false, true])
  })

  it('calls nothing off on paper when not a byte of a ticket went out after all', async () => {
    const grill = core.transport('grill')
    let release = (): void => {}
    grill.outcomes.push(
      () =>
        new Promise((resolve) => {
          release = () => resolve(grill.offline())
        }),
    )
    await core.queue.start()
    core.accept('pj_1')
    await grill.sends(1)
    expect(core.intake.cancel('pj_1')).toBe('too_late')
    release()
    expect((await core.result('pj_1')).state).toBe('cancelled')
    core.accept('pj_2')
    await core.clock.advance(10_000)
    await core.result('pj_2')
    expect(grill.sent.map(({ text }) => text.includes('VOID'))).toEqual([false, false])
    expect(core.intake.cancel('pj_1')).toBe('too_late')
  })

  it('treats a ticket that waits for its marked reprint as possibly on paper', async () => {
    const grill = core.transport('grill')
    grill.outcomes.push(() => grill.uncertain())
    await core.queue.start()
    core.accept('pj_1')
    await core.clock.advance(0)
    expect(core.states()).toEqual({ 'pj_1-1': 'queued' })
    expect(core.intake.cancel('pj_1')).toBe('too_late')
    expect((await core.result('pj_1')).state).toBe('uncertain')
    await core.clock.advance(10_000)
    expect(grill.sent.map(({ text }) => text.includes('VOID'))).toEqual([false, true])
  })

  it('does not print a job that arrives after its cancel, even after a restart', async () => {
    expect(core.intake.cancel('pj_1')).toBe('unknown_job')
    core = core.crash()
    await core.queue.start()
    core.accept('pj_1')
    expect((await core.result('pj_1')).state).toBe('cancelled')
    expect(core.identity.lastSeq()).toBe(1)
    expect(core.transport('grill').sent).toEqual([])
    expect(core.intake.cancel('pj_1')).toBe('cancelled')
  })
})
