// The result of a writing operation of the API for its route: made inside one unit, announced after its commit.
import type { ServiceError } from '#shared/errors.ts'

/**
 * Returned from inside the unit that did it. The caller commits, calls `wake`, then answers `answer`, or throws `refusal` if there is one.
 * With an Idempotency-Key the answer is stored in the same unit (cloud/api/idempotency.ts); a replay always gets `answer`.
 */
export interface Effect<T> {
  answer: T
  /** Fires the signals of what changed. */
  wake?: () => void
  /** It was done and is stored, yet this call must be answered with an error: `printer.offline`. */
  refusal?: ServiceError
}
