// The health of the box in numbers: counted by severity, the worst by its word.
import { expect, test } from 'vitest'
import { healthSummary } from './health-summary.ts'

const finding = (key: string, severity: 'critical' | 'warning' | 'advice', since: string | null = null) => ({
  ...{ key, severity, since },
})

test('a box without findings is well', () => {
  expect(healthSummary([])).toEqual({ critical: 0, warning: 0, advice: 0, worst: null, sinceMs: null })
})

test('findings are counted by severity, and the first is the worst', () => {
  const since = '2026-11-25T02:00:00.000Z'
  const findings = [
    finding('printer-down', 'critical', since),
    finding('no-backup', 'advice'),
    finding('paper-low', 'warning'),
  ]
  expect(healthSummary([...findings, finding('time-zone', 'advice')])).toEqual({
    ...{ critical: 1, warning: 1, advice: 2 },
    ...{ worst: 'printer-down', sinceMs: Date.parse(since) },
  })
})

test('a word is cut to what the relay takes', () => {
  expect(healthSummary([finding('x'.repeat(99), 'critical')]).worst).toBe('x'.repeat(64))
})
