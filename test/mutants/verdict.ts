// What a run of vitest says of a planted fault: caught by which test, survived, or nothing that can be believed.
import { z } from 'zod'

/** What is used of vitest's JSON report. */
const report = z.object({
  numTotalTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
})

export interface EndedRun {
  /** Null: it was ended, because it did not end. */
  code: number | null
  /** The text of the report; null when none was written. */
  report: string | null
  /** The last that it printed. */
  output: string
}

export type Verdict =
  | { kind: 'caught'; by: string }
  | { kind: 'survived' }
  /** Not one test ran: whatever this is, it is no answer. */
  | { kind: 'no-answer'; why: string }

export function verdictOf({ code, report: text, output }: EndedRun): Verdict {
  if (code === null) return { kind: 'caught', by: 'the tests did not end' }
  const parsed = report.safeParse(text === null ? null : JSON.parse(text))
  if (!parsed.success) return { kind: 'no-answer', why: output }
  const { numTotalTests, testResults } = parsed.data
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ status }) => status === 'failed')
  if (failed) return { kind: 'caught', by: failed.fullName }
  // A file that cannot even be read has no tests.
  const broken = testResults.find(({ message = '' }) => message !== '')
  if (broken) return { kind: 'no-answer', why: `${broken.name}: ${broken.message}` }
  if (numTotalTests === 0) return { kind: 'no-answer', why: 'no test was found' }
  // Such as an error that belongs to no test.
  return code === 0 ? { kind: 'survived' } : { kind: 'caught', by: 'an error outside of the tests' }
}
