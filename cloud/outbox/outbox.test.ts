// The engine of the outboxes with the least that one needs: a table, and a `send`. What it does with each outcome, with a stop, and with a writer that refuses.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ServiceError } from '#shared/errors.ts'
import { createLogger } from '#shared/log.ts'
import { Signal } from '#shared/signal.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { Outbox, type OutboxKind, type Outcome } from './outbox.ts'

interface Letter {
  id: number
  attempts: number
  nextAtMs: number
  leaseUntilMs: number
  state: 'pending' | 'delivered' | 'failed'
}

const TAKEN: Outcome = { error: null, retryAfterMs: null }
const REFUSED: Outcome = { error: 'refused', retryAfterMs: null }

let clock: ManualClock
let letters: Letter[]
let changed: Signal
let lines: { msg: string; id?: number }[]
let sent: string[]
let outbox: Outbox<Letter, Outcome>

beforeEach(() => {
  clock = new ManualClock()
  letters = []
  changed = new Signal()
  lines = []
  sent = []
})
afterEach(async () => {
  const stopped = outbox.stop()
  await clock.advance(10_000)
  await stopped
})

async function started(change: Partial<OutboxKind<Letter, Outcome>> = {}): Promise<void> {
  const log = createLogger('test', 'info', {
    destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
  })
  const kind: OutboxKind<Letter, Outcome> = {
    what: 'letters',
    rows: {
      move: () => Promise.resolve(0),
      shorten: () => Promise.resolve(0),
      releaseDead: async () => {
        for (const letter of letters) letter.leaseUntilMs = 0
      },
    },
    changed,
    sweepMs: 1_000,
    leaseMs: 30_000,
    drainMs: 2_000,
    retrySeconds: [60, 300],
    pass: async () => {
      const nowMs = await outbox.look()
      const due = letters.filter((one) => one.state === 'pending' && one.nextAtMs <= nowMs && one.leaseUntilMs <= nowMs)
      await outbox.claim(async ({ leaseUntilMs }) => {
        for (const letter of due) letter.leaseUntilMs = leaseUntilMs
      })
      for (const letter of due) outbox.begin(letter)
    },
    numberOf: ({ attempts }) => attempts + 1,
    send: async ({ id, attempts }) => {
      sent.push(`${id} attempt ${attempts + 1}`)
      return TAKEN
    },
    settle: async (letter, _done, { next }) => {
      letter.attempts += 1
      letter.leaseUntilMs = 0
      if (next.state === 'retrying') letter.nextAtMs = next.nextAtMs
      else letter.state = next.state
    },
    release: async (letter) => {
      letter.leaseUntilMs = 0
    },
    ended: () => {},
    idsOf: ({ id }) => ({ id }),
    ...change,
  }
  outbox = new Outbox({ clock, random: () => 0, log }, kind)
  await outbox.start()
}

function post(id = 1): Letter {
  const letter: Letter = { id, attempts: 0, nextAtMs: 0, leaseUntilMs: 0, state: 'pending' }
  letters.push(letter)
  changed.notify()
  return letter
}

describe('a letter', () => {
  test('is sent as soon as it was written, and never again', async () => {
    await started()
    const letter = post()
    await clock.advance(5_000)
    expect([letter.state, sent]).toEqual(['delivered', ['1 attempt 1']])
  })

  test('that was left by a relay that died is sent at the start', async () => {
    letters.push({ id: 7, attempts: 2, nextAtMs: 0, leaseUntilMs: clock.now() + 30_000, state: 'pending' })
    await started()
    await clock.advance(0)
    expect(sent).toEqual(['7 attempt 3'])
  })

  test('that is never taken is sent again by the schedule, until that is used up', async () => {
    await started({ send: async () => REFUSED })
    const letter = post()
    await clock.advance(59_000)
    expect(letter.attempts).toBe(1)
    await clock.advance(2_000)
    expect(letter.attempts).toBe(2)
    await clock.advance(301_000)
    expect(letter).toMatchObject({ attempts: 3, state: 'failed' })
  })

  test('that will never be taken is not sent again', async () => {
    await started({ send: async () => ({ ...REFUSED, isFinal: true }) })
    const letter = post()
    await clock.advance(400_000)
    expect(letter).toMatchObject({ attempts: 1, state: 'failed' })
  })

  test('of an outbox that never gives up is retried at the last delay forever', async () => {
    await started({ send: async () => REFUSED, neverGivesUp: true })
    const letter = post()
    await clock.advance(0)
    await clock.advance(61_000)
    for (let hours = 0; hours < 3; hours++) await clock.advance(301_000)
    expect(letter).toMatchObject({ attempts: 5, state: 'pending' })
  })

  test('for which nothing was sent is left as it is', async () => {
    await started({ send: async () => null })
    const letter = post()
    await clock.advance(5_000)
    expect(letter).toMatchObject({ attempts: 0, state: 'pending' })
  })
})

describe('the outcome of an attempt', () => {
  test('is written when the writer, which refused, takes units again', async () => {
    let refusals = 3
    await started({
      settle: async (letter) => {
        if (refusals-- > 0) throw new ServiceError('service.unavailable')
        letter.state = 'delivered'
      },
    })
    const letter = post()
    await clock.advance(0)
    await clock.advance(1_000)
    expect([letter.state, sent.length]).toEqual(['delivered', 1])
  })

  test('and cannot be written is logged by its id, and it is sent again when its lease has run out', async () => {
    const over: number[] = []
    await started({
      settle: () => Promise.reject(new Error('no disk')),
      ended: ({ id }) => void over.push(id),
    })
    post(4)
    await clock.advance(29_000)
    expect(lines.filter(({ msg }) => msg === 'an attempt was not recorded; its lease runs out')).toMatchObject([
      { id: 4 },
    ])
    expect([sent.length, over]).toEqual([1, [4]])
    await clock.advance(2_000)
    expect(sent.length).toBe(2)
  })
})

describe('a clock that is set back', () => {
  const DAY = 86_400_000
  const MINUTE = 60_000

  /** What waits, as `OutboxRows.move` treats it: by no more than this relay's step, and never before now. */
  const moveLetters = (byMs: number, nowMs: number): number => {
    const waiting = letters.filter(({ nextAtMs }) => nextAtMs > Math.min(nowMs, nowMs - byMs))
    for (const letter of waiting) letter.nextAtMs = Math.max(letter.nextAtMs + byMs, nowMs)
    return waiting.length
  }

  test('while an attempt ends moves nothing that was written by the clock as it is now', async () => {
    const moving = Promise.withResolvers<void>()
    const sending = Promise.withResolvers<Outcome>()
    await started({
      rows: {
        move: async ({ byMs, nowMs }) => {
          await moving.promise
          return moveLetters(byMs, nowMs)
        },
        shorten: () => Promise.resolve(0),
        releaseDead: () => Promise.resolve(),
      },
      send: () => sending.promise,
    })
    const letter = post()
    await clock.advance(0)
    clock.jump(-DAY)
    await clock.advance(1_000)
    sending.resolve(REFUSED)
    await clock.advance(0)
    const meanwhile = letter.attempts
    moving.resolve()
    await clock.advance(0)
    expect([meanwhile, letter.attempts, letter.nextAtMs - clock.now()]).toEqual([0, 1, MINUTE])
  })

  test('while the outcome of an attempt is being written moves that as well', async () => {
    const writing = Promise.withResolvers<void>()
    await started({
      rows: {
        move: async ({ byMs, nowMs }) => moveLetters(byMs, nowMs),
        shorten: () => Promise.resolve(0),
        releaseDead: () => Promise.resolve(),
      },
      send: async () => REFUSED,
      settle: async (letter, _done, { next }) => {
        await writing.promise
        letter.attempts += 1
        if (next.state === 'retrying') letter.nextAtMs = next.nextAtMs
      },
    })
    const letter = post()
    await clock.advance(0)
    clock.jump(-DAY)
    await clock.advance(1_000)
    writing.resolve()
    await clock.advance(0)
    expect([letter.attempts, letter.nextAtMs - clock.now()]).toEqual([1, MINUTE - 1_000])
  })

  test('while the writer refuses the outcome of an attempt lets it wait from its failure on', async () => {
    let refusals = 2
    const followed: number[] = []
    await started({
      send: async () => REFUSED,
      settle: async (_letter, _done, { next, nowMs }) => {
        if (refusals-- > 0) throw new ServiceError('service.unavailable')
        if (next.state === 'retrying') followed.push(next.nextAtMs, nowMs)
      },
    })
    post()
    await clock.advance(0)
    clock.jump(-DAY)
    await clock.advance(400)
    expect(followed).toEqual([clock.now() - 400 + MINUTE, clock.now()])
  })
})

describe('a claim that fails', () => {
  test('is logged, and the next sweep takes what waits', async () => {
    let fails = true
    const claimed: number[] = []
    await started({
      pass: async () => {
        if (fails) throw new ServiceError('service.unavailable')
        claimed.push(1)
      },
    })
    await clock.advance(0)
    fails = false
    await clock.advance(1_000)
    expect(lines[0]?.msg).toBe('could not claim letters; the next sweep tries again')
    expect(claimed).toEqual([1])
  })
})

describe('a stop', () => {
  /** Ends when it is stopped. */
  const slow = (_: Letter, stopped: AbortSignal): Promise<Outcome> =>
    new Promise((resolve) => {
      stopped.addEventListener('abort', () => resolve({ error: 'stopped', retryAfterMs: null }))
    })

  test('waits for attempts that end by themselves, then ends the others, which count for nothing', async () => {
    await started({ send: slow })
    const letter = post()
    await clock.advance(0)
    const stopped = outbox.stop()
    await clock.advance(1_999)
    expect(letter.leaseUntilMs).toBeGreaterThan(clock.now())
    await clock.advance(1)
    await stopped
    expect(letter).toMatchObject({ attempts: 0, leaseUntilMs: 0, state: 'pending' })
  })

  test('gives back what was claimed and not begun, before it waits', async () => {
    const did: string[] = []
    await started({ send: slow, abandon: async () => void did.push('abandoned') })
    post()
    await clock.advance(0)
    const stopped = outbox.stop().then(() => did.push('stopped'))
    await clock.advance(2_000)
    await stopped
    expect(did).toEqual(['abandoned', 'stopped'])
  })

  test('takes nothing new, and a start after it does', async () => {
    await started()
    await outbox.stop()
    post()
    await clock.advance(5_000)
    expect(sent).toEqual([])
    await outbox.start()
    await clock.advance(0)
    expect(sent).toEqual(['1 attempt 1'])
  })
})

test('a sweep that has not ended is not begun again', async () => {
  const answers: (() => void)[] = []
  let asked = 0
  const sweep = (): Promise<void> => {
    asked += 1
    return asked === 1 ? Promise.resolve() : new Promise((resolve) => answers.push(resolve))
  }
  await started({ sweep })
  await clock.advance(5_000)
  expect(asked).toBe(2)
  for (const answer of answers) answer()
  await clock.advance(0)
  await clock.advance(1_000)
  expect(asked).toBe(3)
  for (const answer of answers) answer()
})
