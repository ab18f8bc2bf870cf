// What falls to which relay: to each about as much, and what a relay had moves only when that relay goes.
import { expect, test } from 'vitest'
import { relayOf } from './replica.ts'

const RELAYS = ['rep_a', 'rep_b', 'rep_c']
const KEYS = Array.from({ length: 3_000 }, (_, n) => `we_${n}`)

test('each relay gets about as much', () => {
  const counts = RELAYS.map((relay) => KEYS.filter((key) => relayOf(key, RELAYS) === relay).length)
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150)
})

test('it does not matter in which order they are known', () => {
  for (const key of KEYS.slice(0, 100)) expect(relayOf(key, RELAYS.toReversed())).toBe(relayOf(key, RELAYS))
})

test('when one goes, what the others had stays with them', () => {
  const rest = RELAYS.slice(1)
  const moved = KEYS.filter((key) => relayOf(key, RELAYS) !== relayOf(key, rest))
  expect(moved.every((key) => relayOf(key, RELAYS) === 'rep_a')).toBe(true)
  expect(moved.length).toBeGreaterThan(850)
})

test('of none it falls to no relay', () => {
  expect(relayOf('we_1', [])).toBeNull()
})
