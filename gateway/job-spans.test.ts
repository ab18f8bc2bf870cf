// Which steps of a gateway become spans: those of jobs whose document has a trace id.
import { expect, test } from 'vitest'
import type { WalkLine } from '#shared/log.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { JobSpans } from './job-spans.ts'

const TRACE = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
const added: string[] = []
const spans = { add: (parent: string, { walk, printJobId }: WalkLine) => added.push(`${walk} ${printJobId} ${parent}`) }
const line = (walk: string, printJobId: string, traceparent?: string): WalkLine => ({
  walk,
  printJobId,
  traceparent,
  ms: 1,
})

test('a job that names a trace, from its arrival on; any other has none', () => {
  const { walked } = new JobSpans(spans, new ManualClock())
  walked(line('5/10', 'pj_a', TRACE))
  walked(line('5/10', 'pj_b'))
  walked(line('8/10', 'pj_a'))
  walked(line('8/10', 'pj_b'))
  expect(added.splice(0)).toEqual([`5/10 pj_a ${TRACE}`, `8/10 pj_a ${TRACE}`])
})

test('the newest thousand jobs are remembered', () => {
  const { walked } = new JobSpans(spans, new ManualClock())
  for (let n = 0; n <= 1_000; n++) walked(line('5/10', `pj_${n}`, TRACE))
  added.length = 0
  walked(line('8/10', 'pj_0'))
  walked(line('8/10', 'pj_1000'))
  expect(added).toEqual([`8/10 pj_1000 ${TRACE}`])
})
