// Guarantees of the queue: one commit before the first byte, strict order, marked reprints, and a failing printer delays no other.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fillDisk } from '#test/doubles/full-disk.ts'
import { FRY, GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'
import { OFFLINE, type ScriptedTransport } from '#test/doubles/scripted-transport.ts'

const BLOCKED = { kind: 'blocked', reason: 'media-empty', detail: '' } as const
const isMarked = ({ text }: { text: string }): boolean => text.includes('POSSIBLE DUPLICATE')

describe('PrintQueue', () => {
  let core: GatewayCore
  let grill: ScriptedTransport
  beforeEach(() => {
    core = new GatewayCore([GRILL, FRY])
    grill = core.transport('grill')
  })
  afterEach(async () => {
    expect(core.fatal).toEqual([])
    await core.stop()
  })
  /** Number of commits when each document was sent to the printer, counted from now. */
  function commitsAtSends(): number[] {
    const start = core.db.commits
    const seen: number[] = []
    grill.events.subscribe((event) => {
      if (event === 'send') seen.push(core.db.commits - start)
    })
    return seen
  }

  it('receives a ticket and commits its intent in one commit before the first byte', async () => {
    await core.queue.start()
    const commits = commitsAtSends()
    core.accept('pj_1')
    expect(core.states()).toEqual({ 'pj_1-1': 'sending' })
    await grill.sends(1)
    expect(commits).toEqual([1])
    expect((await core.result('pj_1')).state).toBe('printed')
  })

  it('waits with the next ticket while the disk is too full to record the last, and prints neither twice', async () => {
    await core.queue.start()
    let makeRoom = () => {}
    grill.outcomes.push(() => {
      makeRoom = fillDisk(core.db.sqlite)
      return grill.printed()
    })
    core.accept('pj_1')
    await grill.sends(1)
    await core.clock.advance(60_000)
    expect(() => core.accept('pj_2')).toThrow('full')
    expect(core.states()).toEqual({ 'pj_1-1': 'sending' })
    makeRoom()
    core.accept('pj_2')
    await core.clock.advance(1_000)
    await core.result('pj_2')
    expect(grill.sent.map(isMarked)).toEqual([false, false])
    expect(core.states()).toEqual({ 'pj_1-1': 'printed', 'pj_2-1': 'printed' })
  })

  it('continues with what waits once there is disk space again', async () => {
    core.accept('pj_1')
    const makeRoom = fillDisk(core.db.sqlite)
    await core.queue.start()
    await core.clock.advance(5_000)
    expect(grill.sent).toEqual([])
    makeRoom()
    await core.clock.advance(1_000)
    expect((await core.result('pj_1')).state).toBe('printed')
    expect(grill.sent.map(isMarked)).toEqual([false])
  })

  it('settles a ticket, reports it and claims the next one in one commit', async () => {
    await core.queue.start()
    const start = core.db.commits
    const commits = commitsAtSends()
    core.intake.accept([1, 2, 3].map((seq) => core.job(`pj_${seq}`, { seq })))
    await grill.sends(3)
    expect(commits).toEqual([1, 2, 3])
    await core.result('pj_3')
    expect(core.db.commits - start).toBe(4)
    expect(core.reports.open(9).map(({ jobId }) => jobId)).toEqual(['pj_1', 'pj_2', 'pj_3'])
  })

  it('reports times in relay time', async () => {
    const t = core.clock.monotonicMs()
    core.relayTime.observe({ t0: t, t1: 1_800_000_000_000, t2: 1_800_000_000_000, t3: t })
    await core.queue.start()
    core.accept('pj_1')
    expect(await core.result('pj_1')).toEqual({
      jobId: 'pj_1',
      state: 'printed',
      startedAt: 1_800_000_000_000,
      endedAt: 1_800_000_000_000,
      reason: null,
      tickets: [
        {
          ticketId: 'pj_1-1',
          printerId: 'grill',
          printerName: 'Grill',
          state: 'printed',
          attempts: 1,
          confirmation: 'confirmed',
          method: 'gs-paren-h',
          connectedAtMs: 1_800_000_000_000,
          firstByteAtMs: 1_800_000_000_000,
          lastByteAtMs: 1_800_000_000_000,
          printedAtMs: 1_800_000_000_000,
          possibleDuplicate: false,
          unprintable: 0,
          reason: null,
        },
      ],
    })
  })

  it('prints in the order of acceptance, also after an outage', async () => {
    grill.outcomes.push(() => grill.offline())
    grill.readiness.push({ kind: 'ready' }, OFFLINE, OFFLINE, BLOCKED)
    await core.queue.start()
    for (let n = 1; n <= 5; n++) core.accept(`pj_${n}`)
    await core.clock.advance(0)
    await core.clock.advance(10_000)
    expect(grill.sent.map(({ attemptId }) => attemptId)).toEqual([
      'pj_1-1.1',
      ...[1, 2, 3, 4, 5].map((n) => `pj_${n}-1.1`),
    ])
    expect(grill.sent.some(isMarked)).toBe(false)
  })

  it('checks the printer before it commits a new intent, so an unreachable printer costs no commits', async () => {
    grill.outcomes.push(() => grill.offline())
    grill.readiness.push({ kind: 'ready' }, ...Array.from({ length: 200 }, () => OFFLINE))
    await core.queue.start()
    core.accept('pj_1')
    await core.clock.advance(0)
    const before = core.db.commits
    await core.clock.advance(30_000)
    expect(grill.prepared).toBeGreaterThan(50)
    expect(new Set(grill.preparedFor.slice(1))).toEqual(new Set(['waiting-ticket']))
    expect(core.db.commits).toBe(before)
    expect(core.states()).toEqual({ 'pj_1-1': 'queued' })
  })

  it('sends the first byte within half a second after a printer answers again', async () => {
    grill.outcomes.push(() => grill.offline())
    grill.readiness.push({ kind: 'ready' }, ...Array.from({ length: 1_000 }, () => OFFLINE))
    await core.queue.start()
    core.accept('pj_1')
    await core.clock.advance(60_000)
    grill.readiness.length = 0
    await core.clock.advance(500)
    expect(grill.sent).toHaveLength(2)
  })

  it('never delays a printer because of another that is unreachable', async () => {
    grill.outcomes.push(() => new Promise(() => {}))
    await core.queue.start()
    const items = ['grill', 'fry'].map((station) => ({ umsId: station, name: station, qty: 1, modifiers: [], station }))
    for (let n = 1; n <= 3; n++) core.accept(`pj_${n}`, { order: { items } })
    await core.transport('fry').sends(3)
    await core.clock.advance(0)
    expect(grill.sent).toHaveLength(1)
    expect(core.queue.snapshot().printers.map(({ name, queued }) => [name, queued])).toEqual([
      ['Grill', 3],
      ['Fry', 0],
    ])
  })

  it('prints again, marked, what it has no proof of', async () => {
    grill.outcomes.push(() => grill.uncertain())
    await core.queue.start()
    core.accept('pj_1')
    core.accept('pj_2')
    await core.clock.advance(0)
    await core.clock.advance(1_000)
    expect(grill.sent.map(isMarked)).toEqual([false, true, false])
    const result = await core.result('pj_1')
    expect(result.tickets[0]).toMatchObject({ state: 'printed', attempts: 2, possibleDuplicate: true })
  })

  it('sends at most three copies to a mute printer, reports uncertain and continues', async () => {
    for (let n = 0; n < 3; n++) grill.outcomes.push(() => grill.uncertain(false))
    await core.queue.start()
    core.accept('pj_1')
    core.accept('pj_2')
    await core.clock.advance(0)
    await core.clock.advance(60_000)
    expect(grill.sent.map(isMarked)).toEqual([false, true, true, false])
    expect(await core.result('pj_1')).toMatchObject({ state: 'uncertain', reason: 'timed-out' })
    expect((await core.result('pj_2')).state).toBe('printed')
  })

  it('does not print a row that was damaged on disk', async () => {
    core.accept('pj_1')
    core.accept('pj_2')
    core.db.sqlite.exec(`update jobs set doc = replace(doc, 'Cheeseburger', 'Cheesebusger') where job_id = 'pj_1'`)
    await core.queue.start()
    expect(await core.result('pj_1')).toMatchObject({ state: 'failed', reason: 'damaged' })
    expect((await core.result('pj_2')).state).toBe('printed')
    expect(grill.sent).toHaveLength(1)
  })

  it('prints LATE after ten minutes, and not before', async () => {
    core.accept('pj_1', { order: { queuedAtMs: core.clock.now() - 599_000 } })
    core.accept('pj_2', { order: { queuedAtMs: core.clock.now() - 601_000 } })
    const fireAtMs = core.clock.now() - 60_000
    core.accept('pj_3', { order: { queuedAtMs: core.clock.now() - 9_000_000, fireAtMs } })
    await core.queue.start()
    await grill.sends(3)
    expect(grill.sent.map(({ text }) => text.includes('LATE'))).toEqual([false, true, false])
  })

  it('does not query an idle printer that its transport watches, until it is reported offline', async () => {
    await core.queue.start()
    await core.clock.advance(0)
    const hear = (state: 'online' | 'offline') => {
      grill.health = { ...grill.health, state, lastContactMs: core.clock.now() }
    }
    for (let minutes = 0; minutes < 10; minutes++) {
      hear('online')
      await core.clock.advance(50_000)
    }
    expect(grill.prepared).toBe(1)
    hear('offline')
    await core.clock.advance(80_000)
    expect(grill.prepared).toBeGreaterThan(1)
  })

  it('queries an idle printer at once, each minute, and more often while it is offline', async () => {
    await core.queue.start()
    await core.clock.advance(0)
    expect(grill.prepared).toBe(1)
    await core.clock.advance(60_000)
    expect(grill.prepared).toBe(2)
    grill.readiness.push(OFFLINE)
    await core.clock.advance(60_000)
    expect(grill.prepared).toBe(3)
    await core.clock.advance(15_000)
    expect(grill.preparedFor).toEqual(Array(4).fill('state'))
    expect(core.queue.snapshot().printers[0]).toMatchObject({ state: 'online', reasons: ['none'] })
  })

  it('signals a change of health, not each ticket', async () => {
    let changes = 0
    core.queue.changed.subscribe(() => changes++)
    await core.queue.start()
    await core.clock.advance(0)
    expect(changes).toBe(2)
    core.accept('pj_1')
    await core.result('pj_1')
    expect(changes).toBe(2)
    grill.show('offline')
    expect(changes).toBe(3)
  })

  it('stores what a printer was seen to answer', async () => {
    await core.queue.start()
    const capability = { dleEot: true, asb: false, gsParenH: true, gsI: true, gsR: true, learntAtMs: 5 }
    grill.learn(capability)
    core.accept('pj_1')
    await core.result('pj_1')
    core = core.crash()
    expect(core.printers.all()[0]?.capability).toEqual(capability)
  })
})

describe('PrintQueue after a crash', () => {
  it('prints the ticket in progress again, marked, and the rest once', async () => {
    const before = new GatewayCore()
    before.transport('grill').outcomes.push(() => new Promise(() => {}))
    await before.queue.start()
    for (let n = 1; n <= 3; n++) before.accept(`pj_${n}`)
    await before.transport('grill').sends(1)
    const core = before.crash()
    expect(core.states()).toEqual({ 'pj_1-1': 'sending', 'pj_2-1': 'queued', 'pj_3-1': 'queued' })
    await core.queue.start()
    await core.result('pj_3')
    expect(core.transport('grill').sent.map(isMarked)).toEqual([true, false, false])
    expect((await core.result('pj_1')).tickets[0]?.attempts).toBe(2)
    await core.stop()
  })

  it('gives up a ticket that was interrupted 25 times', async () => {
    let core = new GatewayCore()
    core.accept('pj_1')
    for (let n = 1; n <= 25; n++) {
      core.transport('grill').outcomes.push(() => new Promise(() => {}))
      await core.queue.start()
      await core.transport('grill').sends(1)
      core = core.crash()
    }
    await core.queue.start()
    expect(await core.result('pj_1')).toMatchObject({ state: 'uncertain', reason: 'interrupted' })
    expect(core.transport('grill').sent).toEqual([])
    await core.stop()
  })

  it('keeps a result until it is acknowledged', async () => {
    let core = new GatewayCore()
    await core.queue.start()
    core.accept('pj_1')
    const result = await core.result('pj_1')
    core = core.crash()
    expect(core.reports.open(9)).toEqual([{ jobId: 'pj_1', payload: result }])
    expect(core.reports.count()).toBe(1)
    const commits = core.db.commits
    core.reports.acknowledge(['pj_1', 'pj_unknown'])
    expect([core.reports.open(9), core.reports.count(), core.db.commits]).toEqual([[], 0, commits])
    core.db.close()
    const after = new GatewayCore([], { dir: core.dir, clock: core.clock })
    expect(after.reports.open(9)).toEqual([])
    await after.stop()
  })
})

describe('PrintQueue.stop', () => {
  it('completes the ticket in flight and claims nothing more', async () => {
    const core = new GatewayCore()
    const grill = core.transport('grill')
    grill.outcomes.push(async () => {
      await core.clock.sleep(900)
      return grill.printed()
    })
    await core.queue.start()
    core.accept('pj_1')
    core.accept('pj_2')
    await grill.sends(1)
    const stopped = core.queue.stop()
    await core.clock.advance(900)
    await stopped
    expect(core.states()).toEqual({ 'pj_1-1': 'printed', 'pj_2-1': 'queued' })
    expect(grill.closed).toBe(true)
    await core.stop()
  })

  it('aborts a slow ticket after a second and ends within 3.3 s', async () => {
    const core = new GatewayCore([GRILL, FRY])
    const [grill, fry] = [core.transport('grill'), core.transport('fry')]
    grill.outcomes.push(
      (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(grill.uncertain()))),
    )
    fry.outcomes.push(() => new Promise(() => {}))
    await core.queue.start()
    const items = ['grill', 'fry'].map((station) => ({ umsId: station, name: station, qty: 1, modifiers: [], station }))
    core.accept('pj_1', { order: { items } })
    await Promise.all([grill.sends(1), fry.sends(1)])
    const stopped = core.queue.stop()
    await core.clock.advance(3_300)
    await stopped
    expect(core.states()).toEqual({ 'pj_1-1': 'queued', 'pj_1-2': 'sending' })
    const next = core.crash()
    await next.queue.start()
    await next.result('pj_1')
    expect(['grill', 'fry'].map((id) => next.transport(id).sent.map(isMarked))).toEqual([[true], [true]])
    await next.stop()
  })
})
