// The answer to callers when the relay's database fails: 503 with the reason, and whether something of the call was stored.
import { ServiceError } from '#shared/errors.ts'
import type { SqliteFault } from '#shared/sqlite-fault.ts'

/** PostgreSQL's, the worst first: it cannot be reached; it takes no writes; it does not confirm them. */
export const SERVER_TROUBLES = ['away', 'readOnly', 'stuck'] as const
export type ServerTrouble = (typeof SERVER_TROUBLES)[number]

export const isOfServer = (trouble: string): trouble is ServerTrouble =>
  (SERVER_TROUBLES as readonly string[]).includes(trouble)

/**
 * `undone`: the database rolled the write back without a reason. For PostgreSQL: `away`: it cannot be reached;
 * `readOnly`: it accepts no writes, as a standby; `stuck`: it does not confirm what it stores; `slow`: it did not answer in time; `unknown`: the connection was lost while it stored the call.
 */
export type RefusalReason = SqliteFault | 'undone' | ServerTrouble | 'slow' | 'unknown'

const KEPT_NOTHING = 'Nothing of this call was kept.'
const MAY_BE_KEPT = 'It may have been kept: send it again as it is, with the same orderId or Idempotency-Key.'

const ANSWERS: Readonly<Record<RefusalReason, { why: string; retryAfterSeconds: number; shouldRetry: boolean }>> = {
  full: { why: 'The disk of the relay is full.', retryAfterSeconds: 30, shouldRetry: true },
  locked: { why: 'Another program holds the database of the relay.', retryAfterSeconds: 2, shouldRetry: true },
  // The operator must restore it first.
  damaged: { why: 'The database of the relay is damaged.', retryAfterSeconds: 300, shouldRetry: false },
  failing: { why: 'The disk of the relay does not answer.', retryAfterSeconds: 5, shouldRetry: true },
  away: { why: 'The database of the relay cannot be reached.', retryAfterSeconds: 2, shouldRetry: true },
  readOnly: { why: 'The database of the relay takes no writes.', retryAfterSeconds: 5, shouldRetry: true },
  stuck: { why: 'The database of the relay does not confirm what it stores.', retryAfterSeconds: 5, shouldRetry: true },
  slow: { why: 'The database of the relay did not answer in time.', retryAfterSeconds: 2, shouldRetry: true },
  unknown: {
    why: 'The database of the relay was lost while it stored this call.',
    retryAfterSeconds: 2,
    shouldRetry: true,
  },
  undone: { why: 'The database of the relay could not store it.', retryAfterSeconds: 1, shouldRetry: true },
}

/** The call may be repeated as it is. */
export class StorageRefusal extends ServiceError {
  readonly reason: RefusalReason

  /** @param cause the database's error; never shown to a caller */
  constructor(reason: RefusalReason, cause?: unknown) {
    const { why, ...headers } = ANSWERS[reason]
    super('service.unavailable', {
      message: `${why} ${reason === 'unknown' ? MAY_BE_KEPT : KEPT_NOTHING}`,
      ...headers,
      cause,
    })
    this.reason = reason
  }
}
