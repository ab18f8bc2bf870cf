// The gateway's session with whatever is on the relay's topic: batches, gaps, a full disk, and invalid messages.
import { pino } from 'pino'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { OrderIntake } from '#gateway/orders/accept-order.ts'
import type { IdentityStore } from '#gateway/storage/identity-store.ts'
import type { ReportStore } from '#gateway/storage/report-store.ts'
import { RelayTime } from '#shared/relay-time.ts'
import { Signal } from '#shared/signal.ts'
import { type JobMessage, type UpMessage, upMessage } from '#shared/wire/gateway-link.ts'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { takeJobs } from './cloud-link.ts'
import { LinkSession, type SessionOptions } from './link-session.ts'

let clock: ManualClock
let said: UpMessage[]
let commits: number[][]
let acknowledged: string[]
let open: string[]
let last: number
let queued: number
let diskFull: boolean
const reportsChanged = new Signal()

beforeEach(() => {
  clock = new ManualClock()
  said = []
  commits = []
  acknowledged = []
  open = []
  last = 0
  queued = 0
  diskFull = false
  cancels.length = 0
})

const cancels: [jobId: string, isOrderVoided: boolean, reason?: string][] = []

/** The intake's contract (accept-order.ts), counting commits. */
const intake = {
  accept(jobs: readonly JobMessage[]) {
    if (diskFull) throw new Error('database or disk is full')
    const before = last
    let gap = false
    for (const { seq } of jobs) {
      if (seq === last + 1) last = seq
      else if (seq > last + 1) gap = true
    }
    if (last > before) commits.push(jobs.map((job) => job.seq))
    return { last, gap }
  },
  skip(seq: number) {
    if (seq === last + 1) last = seq
    return { last, gap: seq > last }
  },
  cancel: (...asked: [string, boolean, string?]) => {
    cancels.push(asked)
    return 'cancelled'
  },
} as unknown as OrderIntake

function session(): LinkSession {
  const reports = {
    changed: reportsChanged,
    open: (limit: number, isUnderWay: (jobId: string) => boolean) =>
      open
        .slice(0, limit)
        .filter((jobId) => !isUnderWay(jobId))
        .map((jobId) => ({
          jobId,
          payload: { jobId, state: 'printed', startedAt: 1, endedAt: 2, reason: null, tickets: [] },
        })),
    acknowledge: (ids: readonly string[]) => {
      acknowledged.push(...ids)
      open = open.filter((id) => !ids.includes(id))
    },
    count: () => open.length,
    isEmpty: () => open.length === 0,
  } as unknown as ReportStore
  const link = new LinkSession(optionsOf(reports), (text) => said.push(upMessage.parse(JSON.parse(text))))
  onTestFinished(() => link.end())
  return link
}

function optionsOf(reports: ReportStore): SessionOptions {
  return {
    pairing: {
      gatewayId: 'gw_a',
      token: 'x'.repeat(32),
      brokerUrl: 'mqtt://127.0.0.1:1',
      topics: { up: 'u', down: 'd', all: 'a' },
      merchantName: '',
      timeZone: 'UTC',
    },
    identity: {
      stream: () => 's',
      lastSeq: () => last,
      nextEpoch: () => 1,
      rememberTime: () => {},
    } as unknown as IdentityStore,
    intake,
    reports,
    status: {
      snapshot: () => ({ printers: [], queue: { queued, held: 0, unreported: open.length } }),
      isPrinting: () => queued > 0,
      changed: new Signal(),
    },
    relayTime: new RelayTime(clock, 0),
    clock,
    random: () => 0,
    log: pino({ level: 'silent' }),
    app: 'test',
    epoch: 3,
    bootId: 'boot',
    bootEpoch: 3,
    takeJobs,
  }
}

const envelope = { v: 1, id: 'm', ts: 0, e: 3 }
const bytes = (message: object) => Buffer.from(JSON.stringify({ ...envelope, ...message }))
const AT_ONCE = { notBefore: null, expiresAt: null, possibleDuplicate: false }
const job = (seq: number, stream = 's') => bytes({ t: 'job', jobId: `j${seq}`, stream, seq, doc: {}, ...AT_ONCE })
const WINDOW = { jobs: 16, bytes: 1 }
const welcome = bytes({ t: 'welcome', session: 'x', t0: 0, t1: 1, t2: 1, cfgVer: 0, window: WINDOW, acked: 0 })
/** What is received is worked off in the next turn, and acknowledged in the one after it. */
const turn = async () => {
  await clock.advance(0)
  await clock.advance(0)
}
const types = () => said.map((message) => message.t)
/** A session whose hello was answered, with its messages so far cleared. */
const welcomed = () => {
  const link = session()
  link.receive(welcome)
  said.length = 0
  return link
}
const silent = { onWelcome: () => {}, onTimeout: () => {} }

describe('jobs', () => {
  test('that arrive before the welcome are not taken: they were meant for the box that had this place before', async () => {
    const link = session()
    link.receive(job(1))
    link.receive(bytes({ t: 'skip', stream: 's', seq: 1 }))
    link.receive(bytes({ t: 'cancel', jobId: 'j1' }))
    await turn()
    expect([commits, cancels, said, last]).toEqual([[], [], [], 0])
    link.receive(welcome)
    link.receive(job(1))
    await turn()
    expect([commits, types().at(-1)]).toEqual([[[1]], 'ack'])
  })

  test('that arrive together share one commit and one acknowledgement', async () => {
    const link = welcomed()
    for (const seq of [1, 2, 3]) link.receive(job(seq))
    await turn()
    expect(commits).toEqual([[1, 2, 3]])
    expect(said).toMatchObject([{ t: 'ack', stream: 's', last: 3, e: 3 }])
  })

  test('are acknowledged again when they are sent again', async () => {
    const link = welcomed()
    for (let i = 0; i < 2; i++) {
      link.receive(job(1))
      await turn()
    }
    expect(commits.length).toBe(1)
    expect(types()).toEqual(['ack', 'ack'])
  })

  test('behind a gap are reported once, not once each', async () => {
    const link = welcomed()
    for (const seq of [2, 3, 4]) {
      link.receive(job(seq))
      await turn()
    }
    expect(said).toMatchObject([{ t: 'nack', last: 0, reason: 'gap' }])
  })

  test('and skips and cancels are worked off in the order of arrival', async () => {
    const link = welcomed()
    link.receive(job(1))
    link.receive(bytes({ t: 'skip', stream: 's', seq: 2 }))
    link.receive(bytes({ t: 'cancel', jobId: 'j1' }))
    link.receive(bytes({ t: 'cancel', jobId: 'j0', orderVoided: true, reason: 'guest left' }))
    link.receive(job(3))
    await turn()
    expect(cancels).toEqual([
      ['j1', false, undefined],
      ['j0', true, 'guest left'],
    ])
    expect(said).toMatchObject([
      { t: 'cmd.result', outcome: 'cancelled' },
      { t: 'cmd.result', jobId: 'j0', outcome: 'cancelled' },
      { t: 'ack', last: 3 },
    ])
  })

  test('that cannot be stored are refused as a whole, and the program lives', async () => {
    const link = welcomed()
    diskFull = true
    link.receive(job(1))
    await turn()
    expect(said).toMatchObject([{ t: 'nack', last: 0, reason: 'full' }])
    diskFull = false
    link.receive(job(1))
    await turn()
    expect(said.at(-1)).toMatchObject({ t: 'ack', last: 1 })
  })

  test('of another stream are not taken', async () => {
    const link = welcomed()
    link.receive(job(1, 'other'))
    await turn()
    expect(said).toMatchObject([{ t: 'nack', stream: 's', reason: 'invalid' }])
    expect(last).toBe(0)
  })

  test('are on disk in the event-loop turn after their arrival, and acknowledged in the one after that', async () => {
    const link = welcomed()
    link.receive(job(1))
    expect(commits).toEqual([])
    await clock.advance(0)
    expect([commits, said]).toEqual([[[1]], []])
    await clock.advance(0)
    expect(types()).toEqual(['ack'])
  })

  test('that were taken when the connection ended are not acknowledged: nothing is sent after the end', async () => {
    const link = welcomed()
    link.receive(job(1))
    await clock.advance(0)
    link.end()
    await turn()
    expect([commits, said]).toEqual([[[1]], []])
  })

  test('of a connection that has ended are not taken', async () => {
    const link = welcomed()
    link.receive(job(1))
    link.end()
    await turn()
    expect([commits, said]).toEqual([[], []])
  })
})

describe('a ticket', () => {
  test('is at its printer before its job is acknowledged, and its job is on disk before that', async () => {
    const core = new GatewayCore()
    onTestFinished(() => core.stop())
    await core.queue.start()
    await core.pass(1_000)
    const steps: string[] = []
    core.db.committed.subscribe(() => steps.push('disk'))
    core.transport('grill').events.subscribe((what) => steps.push(what))
    const told = new Signal<UpMessage>()
    const link = new LinkSession(
      {
        ...optionsOf(core.reports),
        ...{ identity: core.identity, intake: core.intake, relayTime: core.relayTime, clock: core.clock },
      },
      (text) => told.notify(upMessage.parse(JSON.parse(text))),
    )
    link.receive(welcome)
    steps.length = 0
    told.subscribe(({ t }) => steps.push(t))
    const acknowledged = told.next(({ t }) => t === 'ack')
    link.receive(Buffer.from(JSON.stringify(core.job('pj_1'))))
    await acknowledged
    link.end()
    const before = steps.slice(0, steps.indexOf('ack'))
    expect([steps[0], before.includes('send')]).toEqual(['disk', true])
  })
})

describe('results', () => {
  test('wait for the welcome, are sent again after five seconds, and end with the acknowledgement', async () => {
    open = ['a', 'b']
    const link = session()
    link.begin(5_000, silent)
    reportsChanged.notify()
    expect(types()).toEqual(['hello'])
    link.receive(welcome)
    expect(types()).toEqual(['hello', 'status', 'result', 'result'])
    link.receive(bytes({ t: 'rack', jobIds: ['a'] }))
    expect(acknowledged).toEqual(['a'])
    await clock.advance(4_000)
    expect(types().filter((t) => t === 'result').length).toBe(2)
    await clock.advance(1_500)
    expect(said.filter((m) => m.t === 'result').map((m) => m.jobId)).toEqual(['a', 'b', 'b'])
    link.end()
    await clock.advance(60_000)
    expect(types().filter((t) => t === 'result').length).toBe(3)
  })

  test('at most 64 are under way', () => {
    open = Array.from({ length: 100 }, (_, i) => `r${i}`)
    const link = session()
    link.begin(5_000, silent)
    link.receive(welcome)
    expect(types().filter((t) => t === 'result').length).toBe(64)
    link.receive(bytes({ t: 'rack', jobIds: open.slice(0, 10) }))
    expect(types().filter((t) => t === 'result').length).toBe(74)
    link.end()
  })
})

describe('that nothing is left to print or to report', () => {
  const queues = () => said.flatMap((message) => (message.t === 'status' ? [message.queue] : []))
  const rack = (...jobIds: string[]) => bytes({ t: 'rack', jobIds })

  test('is sent when the last result is acknowledged, once per welcome: a restored relay waits for it', () => {
    open = ['a', 'b']
    const link = session()
    link.begin(5_000, silent)
    link.receive(welcome)
    link.receive(rack('a'))
    expect(queues()).toMatchObject([{ unreported: 2 }])
    link.receive(rack('b'))
    expect(queues()).toMatchObject([{ unreported: 2 }, { queued: 0, unreported: 0 }])
    open = ['c']
    link.receive(rack('c'))
    expect(queues()).toHaveLength(2)
    open = ['d']
    link.receive(welcome)
    link.receive(rack('d'))
    expect(queues().slice(2)).toMatchObject([{ unreported: 1 }, { unreported: 0 }])
    link.end()
  })

  test('is not sent while tickets wait, and not again after a welcome that was answered with it', () => {
    queued = 1
    open = ['a']
    const link = session()
    link.begin(5_000, silent)
    link.receive(welcome)
    link.receive(rack('a'))
    expect(queues()).toHaveLength(1)
    queued = 0
    link.receive(welcome)
    open = ['b']
    link.receive(rack('b'))
    expect(queues()).toHaveLength(2)
    link.end()
  })
})

describe('what is not a message', () => {
  test('a hello without answer ends the connection', async () => {
    const onTimeout = vi.fn()
    session().begin(5_000, { ...silent, onTimeout })
    await clock.advance(4_999)
    expect(onTimeout).not.toHaveBeenCalled()
    await clock.advance(1)
    expect(onTimeout).toHaveBeenCalledOnce()
  })

  test('distinguishes an unknown type from a broken message', () => {
    const link = session()
    link.receive(bytes({ t: 'self-destruct' }))
    link.receive(Buffer.from('{"v":1'))
    expect(said).toMatchObject([{ reason: 'unsupported' }, { reason: 'invalid', detail: 'not JSON' }])
  })

  test('a thousand broken messages change nothing', async () => {
    const link = session()
    let seed = 11
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    }
    const good = [job(1), welcome, bytes({ t: 'rack', jobIds: ['a'] }), bytes({ t: 'cancel', jobId: 'x' })]
    for (let i = 0; i < 1_000; i++) {
      const broken = Buffer.from(good[i % good.length] ?? welcome)
      broken[Math.floor(random() * 6)] = 0xff
      link.receive(broken)
    }
    for (const text of [
      'null',
      '[]',
      '"x"',
      '7',
      '{"t":"__proto__"}',
      '{"t":{"t":1}}',
      `{"v":1,"t":"job","doc":${'['.repeat(9_000)}`,
    ])
      link.receive(Buffer.from(text))
    await turn()
    expect(new Set(types())).toEqual(new Set(['nack']))
    expect([commits, acknowledged]).toEqual([[], []])
  })
})
