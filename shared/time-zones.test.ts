// A typed time is the next one at the restaurant, also in the nights of a clock change.
import { expect, it } from 'vitest'
import { nextTimeOfDay } from './time-zones.ts'

const at = (now: string, time: string, zone: string) => {
  const found = nextTimeOfDay(Date.parse(now), time, zone)
  return found === null ? null : new Date(found).toISOString()
}

it('is later today, or tomorrow when it has passed', () => {
  expect(at('2026-11-29T17:00:30Z', '18:30', 'America/New_York')).toBe('2026-11-29T23:30:00.000Z')
  expect(at('2026-11-29T23:30:00Z', '18:30', 'America/New_York')).toBe('2026-11-30T23:30:00.000Z')
})

it('is never in the night in which the clock jumps over it', () => {
  expect(at('2026-03-28T20:00:00Z', '02:30', 'Europe/Berlin')).toBeNull()
  expect(at('2026-10-24T20:00:00Z', '23:30', 'Europe/Berlin')).toBe('2026-10-24T21:30:00.000Z')
})
