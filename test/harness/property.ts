// fast-check's assert, bounded by time: a busy machine tries fewer cases in a property instead of running into the limit of its test.
import fc from 'fast-check'
import { inDrill } from './drill.ts'

/** Cases that are tried however long they take. */
const LEAST_RUNS = 10
/** A drill tries every case, as far as the limit of a test lets it. */
const LIMIT_MS = inDrill(30_000, 60)

interface Cases<Ts> {
  /** Cases that are tried within the time; default: fast-check's 100. */
  numRuns?: number
  /** Tried first, always. */
  examples?: Ts[]
}

/**
 * Tries the first cases whatever they take, and the others until the time is over.
 * @param limitMs for the others
 * @throws fast-check's error with the seed and the smallest case that it found
 */
export function assertProperty<Ts>(property: fc.IProperty<Ts>, cases?: Cases<Ts>, limitMs?: number): void
export function assertProperty<Ts>(property: fc.IAsyncProperty<Ts>, cases?: Cases<Ts>, limitMs?: number): Promise<void>
export function assertProperty<Ts>(
  property: fc.IRawProperty<Ts>,
  { numRuns = 100, examples = [] }: Cases<Ts> = {},
  limitMs = LIMIT_MS,
): void | Promise<void> {
  const leastRuns = Math.min(numRuns, Math.max(LEAST_RUNS, examples.length))
  const others = { numRuns: numRuns - leastRuns, interruptAfterTimeLimit: limitMs, markInterruptAsFailure: false }
  const first = fc.assert(property, { numRuns: leastRuns, examples })
  if (first instanceof Promise)
    return first.then(() => fc.check(property, others)).then((details) => throwIfFalse(details))
  const details = fc.check(property, others)
  if (!(details instanceof Promise)) throwIfFalse(details)
}

/** fc.assert would also throw when the time was over before the first of these cases. */
function throwIfFalse<Ts>(details: fc.RunDetails<Ts>): void {
  if (details.counterexample === null) return
  throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance })
}
