// Answers to GS r prove a ticket only in the requested number, equal except for the paper bits, and followed by silence.
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { processIdOf } from './confirm-ladder.ts'
import { PaperCount, paperCountOf } from './paper-count.ts'

const ASKED = 4

/** Its timers end slightly early, as the system's do. */
class HastyClock extends ManualClock {
  override monotonicMs(): number {
    return 0.99 * super.monotonicMs()
  }
}

describe('a row of answers to GS r', () => {
  const clock = new ManualClock()
  /** Whether these bytes, each after its pause, and a silence count as the answer. */
  const heard = async (bytes: readonly number[], { pauseMs = 1, silenceMs = 50 } = {}): Promise<boolean> => {
    const count = new PaperCount(ASKED, clock, () => {})
    for (const byte of bytes) {
      await clock.advance(pauseMs)
      count.take(byte)
    }
    await clock.advance(silenceMs)
    return count.isComplete(false)
  }

  it('is complete with the requested number, and a silence', async () => {
    expect(await heard([0, 0, 0, 0])).toBe(true)
    expect(await heard([0, 0, 3, 3])).toBe(true)
  })

  it.each([
    ['one too few', [0, 0, 0]],
    ['one too many', [0, 0, 0, 0, 0]],
    ['letters among them', [0, 0x20, 0, 0]],
  ])('is not with %s', async (_, bytes) => {
    expect(await heard(bytes)).toBe(false)
  })

  it('is not complete before the silence, which is longer the slower they came', async () => {
    expect(await heard([0, 0, 0, 0], { silenceMs: 40 })).toBe(false)
    expect(await heard([0, 0, 0, 0], { pauseMs: 1_000, silenceMs: 1_000 })).toBe(false)
    expect(await heard([0, 0, 0, 0], { pauseMs: 1_000, silenceMs: 2_000 })).toBe(true)
  })

  it('is not complete once something else came', async () => {
    const count = new PaperCount(1, clock, () => {})
    count.take(0)
    count.spoil()
    expect(count.isComplete(true)).toBe(false)
  })

  it('needs no silence if nothing more can come, and calls back after it', async () => {
    let calls = 0
    const count = new PaperCount(1, clock, () => calls++)
    count.take(0)
    expect([count.isComplete(true), count.isComplete(false), calls]).toEqual([true, false, 0])
    await clock.advance(50)
    expect([count.isComplete(false), calls]).toEqual([true, 1])
  })

  it('calls back after the silence, even if a timer ends a little early', async () => {
    const hasty = new HastyClock()
    const atCalls: boolean[] = []
    const count = new PaperCount(1, hasty, () => atCalls.push(count.isComplete(false)))
    count.take(0)
    await hasty.advance(1_000)
    expect(atCalls).toEqual([true])
  })

  it('does not call back for a row that is spoilt within the silence', async () => {
    let calls = 0
    const count = new PaperCount(1, clock, () => calls++)
    count.take(0)
    count.take(0)
    await clock.advance(1_000)
    expect(calls).toBe(0)
  })
})

it('each number of queries is about equally likely', () => {
  const tickets = Array.from({ length: 800 }, (_, n) => paperCountOf(processIdOf(`ticket.${n}`)))
  const often = Array.from({ length: 8 }, (_, n) => tickets.filter((count) => count === 3 + n).length)
  expect(Math.min(...often)).toBeGreaterThan(60)
  expect(Math.max(...often)).toBeLessThan(150)
})
