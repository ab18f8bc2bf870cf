// However many read, the database is queried every five seconds at most.
import pino from 'pino'
import { beforeEach, expect, test } from 'vitest'
import type { Backlog } from '#cloud/storage/backlog-store.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { BacklogReader } from './backlog-reader.ts'

const EMPTY = { oldestDeliveryMs: 0 } as Backlog
let clock: ManualClock
let reads: number
let fails: boolean
let lines: string[]
let reader: BacklogReader

beforeEach(() => {
  clock = new ManualClock()
  reads = 0
  fails = false
  lines = []
  const read = async () => {
    reads++
    if (fails) throw new Error('away')
    return EMPTY
  }
  reader = new BacklogReader({ backlog: { read }, clock, log: pino({}, { write: (line) => void lines.push(line) }) })
})

test('reads within five seconds share one answer', async () => {
  expect(await Promise.all([reader.read(), reader.read()])).toEqual([EMPTY, EMPTY])
  await clock.advance(4_999)
  await reader.read()
  expect(reads).toBe(1)
  await clock.advance(1)
  await reader.read()
  expect(reads).toBe(2)
})

test('a database that is away is one log line, and is read again', async () => {
  fails = true
  expect(await reader.read()).toBeUndefined()
  expect(lines.join()).toContain('what waits could not be counted')
  fails = false
  await clock.advance(5_000)
  expect(await reader.read()).toBe(EMPTY)
})
