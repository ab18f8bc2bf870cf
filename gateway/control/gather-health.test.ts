// How often the orders are gone through for the stations that they name.
import { expect, it } from 'vitest'
import { SeenStations } from './gather-health.ts'

it('the stations are read once a minute, less often while tickets wait, but a dead printer does not stop it for good', async () => {
  let nowMs = 0
  let looks = 0
  let isQueued = false
  const context = {
    clock: { monotonicMs: () => nowMs },
    time: { now: () => nowMs },
    history: { isAnyQueued: () => isQueued },
    stationLines: { seen: async () => [{ station: 'Grill', lines: ++looks }] },
  } as unknown as ConstructorParameters<typeof SeenStations>[0]
  const seen = new SeenStations(context)
  const at = async (seconds: number) => {
    nowMs = seconds * 1_000
    return (await seen.now())[0]?.lines
  }
  expect([await at(0), await at(59), await at(60)]).toEqual([1, 1, 2])
  isQueued = true
  expect([await at(120), await at(419)]).toEqual([2, 2])
  expect([await at(420), await at(480)]).toEqual([3, 3])
  isQueued = false
  expect(await at(481)).toBe(4)
})
