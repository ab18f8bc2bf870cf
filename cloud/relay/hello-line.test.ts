// The queue of hellos: order, newest only, ended connections, and which gateways get `wait` for how long. Storms are modelled with a clock that the test moves.
import { beforeEach, describe, expect, it } from 'vitest'
import { asId, type GatewayId } from '#shared/ids.ts'
import { LINK_LIMITS } from '#shared/wire/gateway-link.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { helloOf, type ModelledRelay, ModelledStorm } from '#test/fixtures/modelled-storm.ts'
import { AT_ONCE, AT_ONCE_OLDER, HelloLine, type Turn } from './hello-line.ts'

const OLDER: readonly string[] = []

let clock: ManualClock
let line: HelloLine
/** Hellos that are worked on, in order, until the test ends each. */
let turns: (Turn & { done(): void })[]
let told: { gatewayId: string; epoch: number; forMs: number }[]

beforeEach(() => {
  clock = new ManualClock()
  turns = []
  told = []
  line = new HelloLine({
    clock,
    work: (turn) =>
      new Promise((resolve) => {
        // Not a copy: `isOver` of the original changes.
        turns.push(Object.assign(turn, { done: resolve }))
      }),
    tell: ({ gatewayId, hello }, forMs) => told.push({ gatewayId, epoch: hello.e, forMs }),
  })
})

const gatewayOf = (n: number | string): GatewayId => asId(`gw_${n}`)
const says = (n: number | string, e = 1, caps?: readonly string[]): Promise<void> =>
  line.take({ gatewayId: gatewayOf(n), hello: helloOf(e, caps), receivedMs: 0 })
const worked = (): string[] => turns.map(({ gatewayId, hello }) => `${gatewayId.slice(3)}/${hello.e}`)
async function ends(at: number): Promise<void> {
  turns[at]?.done()
  await clock.advance(0)
}
/** Each unit of the database takes so long, one after the other, until everything was worked on. */
async function workOff(eachMs: number): Promise<void> {
  for (let at = 0; at < turns.length; at++) {
    await clock.advance(eachMs)
    await ends(at)
  }
}
function fill(count: number, caps?: readonly string[]): void {
  for (let n = 0; n < count; n++) void says(n, 1, caps)
}

describe('gateways that another relay is to answer', () => {
  it('are not processed any more, and are released only when the running ones have ended', async () => {
    fill(AT_ONCE + 2)
    const theirs = new Set([gatewayOf(0), gatewayOf(AT_ONCE)])
    let isDone = false
    const letGo = line
      .letGo((gatewayId) => theirs.has(gatewayId))
      .then(() => {
        isDone = true
      })
    expect(turns.filter(({ isOver }) => isOver).map(({ gatewayId }) => gatewayId)).toEqual([gatewayOf(0)])
    await ends(1)
    expect([worked().at(-1), isDone]).toEqual([`${AT_ONCE + 1}/1`, false])
    await ends(0)
    await letGo
    expect(line.figures).toMatchObject({ waiting: 0 })
  })
})

describe('simultaneous hellos', () => {
  it('are processed a few at a time, in the order of their arrival', async () => {
    fill(AT_ONCE + 3)
    expect(turns).toHaveLength(AT_ONCE)
    await ends(2)
    await ends(0)
    expect(worked().slice(AT_ONCE)).toEqual([`${AT_ONCE}/1`, `${AT_ONCE + 1}/1`])
    expect(line.figures).toMatchObject({ working: AT_ONCE, waiting: 1 })
  })

  it('are all worked on, and the line is empty then', async () => {
    const answers = Promise.all(Array.from({ length: 40 }, (_, n) => says(n)))
    await workOff(1)
    await answers
    expect(turns).toHaveLength(40)
    expect(line.figures).toMatchObject({ working: 0, waiting: 0, told: 0 })
  })
})

describe('the hellos of one gateway', () => {
  it('never wait in more than one place: the newest is worked on after the one that is', async () => {
    for (let e = 1; e <= 30_000; e++) void says('loud', e)
    expect(line.figures).toMatchObject({ working: 1, waiting: 1 })
    await workOff(1)
    expect(worked()).toEqual(['loud/1', 'loud/30000'])
  })

  it('keep the place of the first that waits, and those that are skipped get no answer', async () => {
    fill(AT_ONCE)
    const outdated = says('a', 1)
    void says('b', 1)
    void says('a', 2)
    await outdated
    await workOff(1)
    expect(worked().slice(AT_ONCE)).toEqual(['a/2', 'b/1'])
  })

  it('of a busy one let every other gateway have its turn between two of them', async () => {
    for (let n = 0; n < AT_ONCE - 1; n++) void says(`busy-${n}`)
    void says('loud', 1)
    void says('loud', 2)
    void says('a', 1)
    await ends(AT_ONCE - 1)
    void says('loud', 3)
    void says('b', 1)
    await ends(AT_ONCE)
    await ends(AT_ONCE + 1)
    void says('loud', 4)
    await workOff(1)
    expect(worked().slice(AT_ONCE - 1)).toEqual(['loud/1', 'loud/2', 'a/1', 'loud/3', 'b/1', 'loud/4'])
  })
})

describe('gateways that do not support waiting', () => {
  it('are processed more at a time, and delay no other', () => {
    fill(AT_ONCE_OLDER + 10, OLDER)
    expect(line.figures).toMatchObject({ working: AT_ONCE_OLDER, waiting: 10 })
    for (let n = 0; n < AT_ONCE + 2; n++) void says(`new-${n}`)
    expect(line.figures).toMatchObject({ working: AT_ONCE_OLDER + AT_ONCE, waiting: 12 })
  })

  it('keep one place when an update changes that', async () => {
    fill(AT_ONCE)
    fill(AT_ONCE_OLDER + AT_ONCE, OLDER)
    void says('a', 1, OLDER)
    void says('a', 2)
    void says('a', 3, OLDER)
    await workOff(1)
    expect(worked().filter((one) => one.startsWith('a/'))).toEqual(['a/3'])
    expect(line.figures).toMatchObject({ working: 0, waiting: 0 })
  })
})

describe('a connection that has ended', () => {
  it('leaves nothing in line', async () => {
    fill(AT_ONCE)
    const dropped = says('gone', 1)
    void says('here', 1)
    line.left(gatewayOf('gone'), null)
    await dropped
    await workOff(1)
    expect(worked().slice(AT_ONCE)).toEqual(['here/1'])
  })

  it('and was an older one leaves the newer hello where it is', async () => {
    fill(AT_ONCE)
    void says('a', 2)
    line.left(gatewayOf('a'), 1)
    await workOff(1)
    expect(worked().slice(AT_ONCE)).toEqual(['a/2'])
  })

  it('is known to whoever works on its hello', async () => {
    void says('a', 1)
    void says('b', 1)
    line.left(gatewayOf('a'), 1)
    expect(turns.map(({ isOver }) => isOver)).toEqual([true, false])
  })

  it('frees the time that it was given', async () => {
    fill(3_000)
    const before = told.length
    expect(before).toBeGreaterThan(0)
    for (const { gatewayId } of [...told]) line.left(asId(gatewayId), null)
    for (let n = 0; n < 3_000; n++) line.left(gatewayOf(n), null)
    expect(line.figures).toMatchObject({ waiting: 0, told: 0 })
    void says('new')
    expect(told).toHaveLength(before)
  })

  it('at the end of the relay leaves nothing to be done', async () => {
    fill(AT_ONCE + 1)
    line.stop()
    expect(line.figures.waiting).toBe(0)
    expect(turns.every(({ isOver }) => isOver)).toBe(true)
  })
})

describe('a gateway whose turn is far away', () => {
  it('gets the time to retry, each a different one, as fast as hellos are processed', () => {
    fill(3_000)
    const times = told.map(({ forMs }) => forMs)
    const eachMs = line.figures.eachMs
    expect(line.figures.waiting * eachMs).toBeLessThanOrEqual(2_000)
    expect(times.length + turns.length + line.figures.waiting).toBe(3_000)
    expect(times[0]).toBeGreaterThan(1_900)
    for (const [at, forMs] of times.entries())
      if (at > 0) expect(forMs - (times[at - 1] ?? 0), String(at)).toBeCloseTo(eachMs, 0)
  })

  it('gets no time beyond the limit of the link, and the rest is spread over the last half of it', () => {
    fill(60_000)
    const times = told.map(({ forMs }) => forMs)
    expect(Math.max(...times)).toBeLessThanOrEqual(LINK_LIMITS.waitMostMs)
    const late = times.slice(40_000)
    expect(Math.min(...late)).toBeGreaterThanOrEqual(LINK_LIMITS.waitMostMs / 2)
    const [firstHalf, all] = [late.filter((ms) => ms < LINK_LIMITS.waitMostMs * 0.75).length, late.length]
    expect(firstHalf / all).toBeGreaterThan(0.3)
    expect(firstHalf / all).toBeLessThan(0.7)
  })

  it('waits in line when it is too old for that', () => {
    fill(3_000, OLDER)
    expect(told).toEqual([])
    expect(line.figures.waiting).toBe(3_000 - AT_ONCE_OLDER)
  })

  it('is not asked again when it ignores the delay, and never to a later time', async () => {
    fill(3_000)
    const { gatewayId, forMs } = told.at(-1)!
    for (let n = 0; n < 100; n++) void line.take({ gatewayId: asId(gatewayId), hello: helloOf(1), receivedMs: 0 })
    const before = told.length
    await clock.advance(499)
    void line.take({ gatewayId: asId(gatewayId), hello: helloOf(1), receivedMs: 0 })
    expect(told).toHaveLength(before)
    await clock.advance(1)
    void line.take({ gatewayId: asId(gatewayId), hello: helloOf(1), receivedMs: 0 })
    expect(told.slice(before).filter((one) => one.gatewayId === gatewayId)).toMatchObject([{ forMs: forMs - 500 }])
  })

  it('and came back in time is let in, unless it would give up before its turn', async () => {
    fill(3_000)
    const [back, late] = told.map(({ gatewayId }) => gatewayId.slice(3))
    const before = told.length
    await clock.advance(900)
    // Too far away for a newcomer, near enough for one that has waited before.
    expect((line.figures.waiting + 1) * line.figures.eachMs + 900).toBeGreaterThan(2_500)
    void says(back!)
    expect(told).toHaveLength(before)
    for (let n = 0; n < 1_000; n++) void says(`older-${n}`, 1, OLDER)
    expect((line.figures.waiting + 1) * line.figures.eachMs + 900).toBeGreaterThan(4_000)
    void says(late!)
    expect(told.slice(before)).toMatchObject([{ gatewayId: `gw_${late}` }])
  })

  it('gets the same time at once on a new connection', () => {
    fill(3_000)
    const { gatewayId, forMs } = told.at(-1)!
    void line.take({ gatewayId: asId(gatewayId), hello: helloOf(2), receivedMs: 0 })
    expect(told.at(-1)).toEqual({ gatewayId, epoch: 2, forMs })
  })
})

describe('when the database does not answer', () => {
  it('a gateway that would give up before its turn is informed in time, also one that is being processed', async () => {
    fill(AT_ONCE + 5)
    await clock.advance(4_500)
    const names = new Set(told.map(({ gatewayId }) => gatewayId))
    expect(names.size).toBe(AT_ONCE + 5)
    expect(line.figures.waiting).toBe(0)
  })

  it('one that asks again has waited since its first request', async () => {
    fill(AT_ONCE)
    void says('a')
    await clock.advance(1_900)
    void says('a')
    expect(told).toEqual([])
    await clock.advance(100)
    expect(told).toMatchObject([{ gatewayId: 'gw_a' }])
  })

  it('one that is being processed is informed once, and removed when it was answered after all', async () => {
    void says('a')
    await clock.advance(20_000)
    expect(told).toHaveLength(1)
    await ends(0)
    expect(line.figures).toMatchObject({ working: 0, told: 0 })
  })

  it('one that is too old for that stays in line', async () => {
    fill(AT_ONCE_OLDER + 5, OLDER)
    await clock.advance(20_000)
    expect(told).toEqual([])
    expect(line.figures.waiting).toBe(5)
  })
})

describe('a storm', () => {
  /** A relay that works on one hello after the other. */
  function relayOf(storm: ModelledStorm, eachMs: number): HelloLine {
    return new HelloLine({
      clock,
      work: (turn) => storm.work(turn, eachMs),
      tell: (arrival, forMs) => storm.tell(arrival, forMs),
    })
  }
  const HOUR = 3_600_000

  it.each([
    [400, 2],
    [1_200, 2],
    [1_200, 10],
    [800, 30],
  ])(
    'of %i gateways at %i ms each is over in time linear in their number, with one attempt each',
    async (count, each) => {
      const storm = new ModelledStorm(clock)
      const tookMs = await storm.run(relayOf(storm, each), count, HOUR)
      expect(storm.welcomed).toBe(count)
      expect(storm.attempts / count).toBeLessThanOrEqual(1.05)
      expect(storm.hellos / count).toBeLessThanOrEqual(3)
      // The work itself, and the jitter of those that got `wait`.
      expect(tookMs).toBeLessThanOrEqual(1.3 * count * each + 1_500)
    },
  )

  /** As it was before there was a line. */
  function withoutLine(storm: ModelledStorm, eachMs: number): ModelledRelay {
    return { take: (arrival) => storm.work(arrival, eachMs), left: () => undefined }
  }

  it.each([
    [1_200, 10],
    [300, 60],
  ])(
    'of %i older gateways at %i ms each is over too, and they are not worse off than without the line',
    async (count, each) => {
      const [withLine, without] = [new ModelledStorm(clock, OLDER), new ModelledStorm(clock, OLDER)]
      const tookMs = await withLine.run(relayOf(withLine, each), count, HOUR)
      const tookBeforeMs = await without.run(withoutLine(without, each), count, HOUR)
      expect([withLine.welcomed, without.welcomed]).toEqual([count, count])
      // Those that were being worked on when they gave up.
      expect(withLine.worked).toBeLessThanOrEqual(count * 1.05)
      expect({ attempts: withLine.attempts, of: without.attempts }).toSatisfy((it) => it.attempts <= it.of * 1.1)
      expect({ tookMs, tookBeforeMs }).toSatisfy((it) => it.tookMs <= it.tookBeforeMs * 1.1)
    },
  )

  it('without the line takes many attempts, and the relay does useless work most of the time', async () => {
    const storm = new ModelledStorm(clock)
    await storm.run(withoutLine(storm, 10), 1_200, 60_000)
    expect(storm.attempts / 1_200).toBeGreaterThan(1.5)
    expect(storm.worked).toBeGreaterThan(1_800)
  })
})
