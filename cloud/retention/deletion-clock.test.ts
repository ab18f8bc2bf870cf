// The time by which the relay deletes: what the clock shows as long as that can be, and the time lived through when it cannot.
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LivedTimeStore } from '#cloud/storage/lived-time-store.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { DeletionClock } from './deletion-clock.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const YEAR_MS = 365 * DAY_MS
let clock: ManualClock
let api: RelayApi
let livedTime: LivedTimeStore
let lines: string[]
let running: DeletionClock
beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
  livedTime = new LivedTimeStore(api.db)
  lines = []
  running = await start()
})
afterEach(async () => {
  await running.stop()
  await api.close()
})

async function start(): Promise<DeletionClock> {
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) })
  const made = new DeletionClock({ livedTime, clock, log })
  await made.start()
  await settled()
  return made
}
/** Its check is on disk. */
async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) {
    await api.db.unit(async () => {})
    await clock.advance(0)
  }
}
/** Runs for this long, one check at a time. */
async function run(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= HOUR_MS) {
    await clock.advance(Math.min(left, HOUR_MS))
    await settled()
  }
}
/** Switched off while the clock goes on or jumps. */
async function off(ms: number): Promise<void> {
  await running.stop()
  clock.jump(ms)
  running = await start()
}
const behindMs = () => clock.now() - running.now()

test('it is what the clock shows, also after a night without power and a small step', async () => {
  await run(5 * HOUR_MS)
  expect(behindMs()).toBe(0)
  await off(14 * HOUR_MS)
  expect(behindMs()).toBe(0)
  clock.jump(-2 * HOUR_MS)
  await run(HOUR_MS)
  expect([behindMs(), lines]).toEqual([0, []])
})

test('what is not started yet makes nothing old', () => {
  expect(new DeletionClock({ livedTime, clock, log: pino({ level: 'silent' }) }).now()).toBe(0)
})

describe.each([
  ['at a start', (ms: number) => off(ms)],
  [
    'while it runs',
    async (ms: number) => {
      clock.jump(ms)
      await run(HOUR_MS)
    },
  ],
])('a clock that jumps ten years ahead %s', (_, jump) => {
  test('does not count, is reported once, and leaves nothing behind when it is corrected', async () => {
    await jump(10 * YEAR_MS)
    await run(22 * HOUR_MS)
    expect(behindMs()).toBe(10 * YEAR_MS)
    expect(lines).toEqual([
      'the clock jumped ahead by 87600 hours: deletion keeps the old time until the relay has run for 24 hours with the new one',
    ])
    await jump(-10 * YEAR_MS)
    await run(HOUR_MS)
    expect(behindMs()).toBe(0)
    await jump(10 * YEAR_MS)
    expect([behindMs(), lines.length]).toEqual([10 * YEAR_MS, 2])
  })

  test('counts once the relay has run under it for a day', async () => {
    await jump(10 * YEAR_MS)
    await run(25 * HOUR_MS)
    expect(behindMs()).toBe(0)
  })
})

test('a relay that runs for some hours a day only gets there too, after a year without power', async () => {
  await off(YEAR_MS)
  for (let day = 0; day < 3; day++) {
    await run(7 * HOUR_MS)
    expect(behindMs()).toBeGreaterThan(300 * DAY_MS)
    await off(17 * HOUR_MS)
  }
  await run(4 * HOUR_MS)
  expect(behindMs()).toBe(0)
})

test('a step of a whole day during the trial, on top of the time that passes, does not restart it', async () => {
  await off(10 * YEAR_MS)
  await run(20 * HOUR_MS)
  clock.jump(DAY_MS)
  await run(5 * HOUR_MS)
  expect(behindMs()).toBe(0)
})

test('a clock that keeps jumping is never trusted', async () => {
  for (let jumps = 0; jumps < 6; jumps++) {
    await off(YEAR_MS)
    await run(20 * HOUR_MS)
  }
  expect(behindMs()).toBe(6 * YEAR_MS)
})

test('a wrong clock that was trusted is dropped a day after it is corrected, and makes nothing old in between', async () => {
  await off(10 * YEAR_MS)
  await run(25 * HOUR_MS)
  await off(-10 * YEAR_MS)
  expect(behindMs()).toBe(0)
  await run(25 * HOUR_MS)
  expect(behindMs()).toBe(0)
  await off(10 * YEAR_MS)
  expect(behindMs()).toBe(10 * YEAR_MS)
})

test('a database from before this record takes the time from its newest row', async () => {
  await api.inject({ orderId: 'last' })
  await running.stop()
  await api.db.unit((tx) => tx.deleteFrom('marks').execute())
  await off(YEAR_MS)
  expect(behindMs()).toBe(YEAR_MS)
})
