// What the relay is told of the health of a box.
import { expect, it } from 'vitest'
import { healthOf } from '#gateway/care/health.ts'
import { healthyBox, NOW, printerFacts } from '#test/fixtures/healthy-box.ts'
import { findingAnswer } from './health-operations.ts'
import { healthSummary } from './health-summary.ts'

it('is how many there are of each severity, and the worst with its time', () => {
  const down = printerFacts({ state: 'offline', reasons: ['media-empty'], testedAt: null })
  const findings = healthOf(healthyBox({ printers: [down] })).map(findingAnswer)
  expect(healthSummary({ findings })).toEqual({
    ...{ critical: 1, warning: 0, advice: 1 },
    ...{ worst: 'printer-down', sinceMs: NOW - 3_600_000 },
  })
  expect(healthSummary({ findings: [] })).toEqual({ critical: 0, warning: 0, advice: 0, worst: null, sinceMs: null })
})
