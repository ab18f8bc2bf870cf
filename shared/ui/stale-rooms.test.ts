// When invalidated data is refetched: at once after a quiet time, less often during a rush.
import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { LONGEST_WAIT_MS, StaleRooms } from './stale-rooms.ts'

describe('invalidated data', () => {
  let clock: ManualClock
  let asked: [room: string, atMs: number][]
  let rooms: StaleRooms
  let random: number
  beforeEach(() => {
    clock = new ManualClock()
    asked = []
    random = 0.5
    const ask = (room: string): void => void asked.push([room, clock.monotonicMs()])
    rooms = new StaleRooms({ clock, random: () => random, ask })
  })

  const changeFor = async (ms: number, everyMs: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += everyMs) {
      rooms.touch('orders')
      await clock.advance(everyMs)
    }
  }

  it('is refetched at once, separately for each of two rooms', () => {
    rooms.touch('orders')
    rooms.touch('kitchens')
    expect(asked).toEqual([
      ['orders', 0],
      ['kitchens', 0],
    ])
  })

  it('is refetched once more after changes that came too soon', async () => {
    rooms.touch('orders')
    rooms.touch('orders')
    rooms.touch('orders')
    expect(asked).toHaveLength(1)
    await clock.advance(60_000)
    expect(asked).toHaveLength(2)
  })

  it('is refetched less often during a rush, but never later than a few seconds after a change', async () => {
    await changeFor(60_000, 250)
    const gaps = asked.slice(1).map(([, atMs], index) => atMs - (asked[index]?.[1] ?? 0))
    expect(gaps.slice(0, 4)).toEqual([500, 1_000, 2_000, 4_000])
    expect(new Set(gaps.slice(3))).toEqual(new Set([LONGEST_WAIT_MS]))
  })

  it('is refetched at once again after a quiet time', async () => {
    await changeFor(60_000, 250)
    await clock.advance(2 * LONGEST_WAIT_MS)
    const before = asked.length
    rooms.touch('orders')
    expect(asked.slice(before)).toEqual([['orders', clock.monotonicMs()]])
    await clock.advance(100)
    rooms.touch('orders')
    await clock.advance(400)
    expect(asked.slice(before)).toHaveLength(2)
  })

  it('is refetched by many pages at different times', async () => {
    const lengths = [0, 0.999].map(async (fraction) => {
      const times: number[] = []
      const ofPage = new StaleRooms({ clock, random: () => fraction, ask: () => times.push(clock.monotonicMs()) })
      for (let change = 0; change < 2; change++) ofPage.touch('orders')
      return times
    })
    const pages = await Promise.all(lengths)
    await clock.advance(60_000)
    expect(pages.map(([, second]) => second)).toEqual([375, expect.closeTo(625, 0)])
  })

  it('is not refetched after the end', async () => {
    rooms.touch('orders')
    rooms.touch('orders')
    rooms.stop()
    await clock.advance(60_000)
    expect(asked).toHaveLength(1)
  })
})
