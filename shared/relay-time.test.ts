// Relay time at a gateway, before and after an answer of the relay, and when its own wall clock is wrong.
import { describe, expect, test } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayTime } from './relay-time.ts'

const NOON = Date.UTC(2026, 10, 20, 12)

function sample(clock: ManualClock, relayNow: number, tripMs: number) {
  const t3 = clock.monotonicMs()
  return { t0: t3 - tripMs, t1: relayNow - tripMs / 2, t2: relayNow - tripMs / 2, t3 }
}

describe('before the relay was heard', () => {
  test('the wall clock is trusted', () => {
    const time = new RelayTime(new ManualClock(NOON), 0)
    expect(time.now()).toBe(NOON)
    expect(time.offsetMs()).toBeNull()
  })

  test('a wall clock that is behind the last known relay time is not', async () => {
    const clock = new ManualClock(0)
    const time = new RelayTime(clock, NOON)
    await clock.advance(1_500)
    expect(time.now()).toBe(NOON + 1_500)
  })
})

describe('after an exchange', () => {
  test('relay time is accurate to half the round trip, and the offset is the error of the wall clock', async () => {
    const clock = new ManualClock(NOON - 3_600_000)
    const time = new RelayTime(clock, 0)
    await clock.advance(100)
    time.observe(sample(clock, NOON, 40))
    expect(time.now()).toBe(NOON)
    expect(time.offsetMs()).toBe(3_600_000 - 100)
  })

  test('a jump of the wall clock changes nothing', async () => {
    const clock = new ManualClock(NOON)
    const time = new RelayTime(clock, 0)
    await clock.advance(1_000)
    time.observe(sample(clock, NOON + 1_000, 10))
    clock.jump(-86_400_000)
    await clock.advance(500)
    expect(time.now()).toBe(NOON + 1_500)
    expect(time.offsetMs()).toBe(86_400_000)
  })

  test('a slow exchange that agrees does not spoil a quick one', async () => {
    const clock = new ManualClock(NOON)
    const time = new RelayTime(clock, 0)
    await clock.advance(10_000)
    time.observe(sample(clock, NOON + 10_000, 2))
    // All of the delay on one leg: the formula is off by half of it.
    const t3 = clock.monotonicMs()
    time.observe({ t0: t3 - 400, t1: NOON + 10_000, t2: NOON + 10_000, t3 })
    expect(time.now()).toBe(NOON + 10_000)
  })

  test('an exchange that contradicts wins: the relay was set right', async () => {
    const clock = new ManualClock(NOON)
    const time = new RelayTime(clock, 0)
    await clock.advance(10_000)
    time.observe(sample(clock, NOON, 2))
    time.observe(sample(clock, NOON + 60_000, 400))
    expect(time.now()).toBe(NOON + 60_000)
  })

  test('impossible samples are ignored', async () => {
    const clock = new ManualClock(NOON)
    const time = new RelayTime(clock, 0)
    time.observe({ t0: 10, t1: NOON, t2: NOON + 100, t3: 20 })
    time.observe({ t0: Number.NaN, t1: NOON, t2: NOON, t3: 20 })
    expect(time.offsetMs()).toBeNull()
  })
})
