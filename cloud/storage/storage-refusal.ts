// What callers are told when the disk or the file of the relay is at fault: 503 with the reason, and nothing of the call was kept.
import { ServiceError } from '#shared/errors.ts'
import type { SqliteFault } from '#shared/sqlite-fault.ts'

/** `undone`: the database gave up what was being written, for a reason that it did not tell. */
export type RefusalReason = SqliteFault | 'undone'

const KEPT_NOTHING = 'Nothing of this call was kept.'

const ANSWERS: Readonly<Record<RefusalReason, { why: string; retryAfterSeconds: number; shouldRetry: boolean }>> = {
  full: { why: 'The disk of the relay is full.', retryAfterSeconds: 30, shouldRetry: true },
  locked: { why: 'Another program holds the database of the relay.', retryAfterSeconds: 2, shouldRetry: true },
  // Somebody has to restore it first.
  damaged: { why: 'The database of the relay is damaged.', retryAfterSeconds: 300, shouldRetry: false },
  failing: { why: 'The disk of the relay does not answer.', retryAfterSeconds: 5, shouldRetry: true },
  undone: { why: 'The database of the relay could not store it.', retryAfterSeconds: 1, shouldRetry: true },
}

/** The call may be repeated as it is. */
export class StorageRefusal extends ServiceError {
  readonly reason: RefusalReason

  /** @param cause what SQLite said; never shown to a caller */
  constructor(reason: RefusalReason, cause?: unknown) {
    const { why, ...headers } = ANSWERS[reason]
    super('service.unavailable', { message: `${why} ${KEPT_NOTHING}`, ...headers, cause })
    this.reason = reason
  }
}
