// A refused operation, with words for the person who asked. Anything else that is thrown is a bug.
import type { TargetFault } from '#cloud/webhooks/target-guard.ts'
import type { FieldError } from '#shared/errors.ts'
import type { FieldRule } from '#shared/field-rule.ts'

/** `forbidden`: the role lacks the right. `elevate`: a password or passkey is required first. `stale`: somebody else changed it meanwhile. */
export type RefusalKind = 'invalid' | 'not-found' | 'refused' | 'forbidden' | 'elevate' | 'stale' | 'busy'

/** The status over HTTP. */
export const REFUSAL_STATUS: Readonly<Record<RefusalKind, number>> = {
  invalid: 422,
  'not-found': 404,
  refused: 409,
  forbidden: 403,
  elevate: 403,
  stale: 409,
  busy: 503,
}

/** The key of the sentence with which a page in another language shows the English message, and its values. */
export interface Said {
  /** Stable, such as `key.already-rotated`. */
  key: string
  values?: Readonly<Record<string, string | number>>
}

/** `rule`: with it the page shows the message in its own language; absent or null: it shows the English message. */
export interface RefusedField extends FieldError {
  rule?: FieldRule | { key: `url-${TargetFault['key']}`; limit: null } | null
}

export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal'
  readonly kind: RefusalKind
  readonly errors: readonly RefusedField[]
  readonly said: Said | null

  constructor(kind: RefusalKind, message: string, more: { errors?: readonly RefusedField[]; said?: Said } = {}) {
    super(message)
    this.kind = kind
    this.errors = more.errors ?? []
    this.said = more.said ?? null
  }
}

/** The page asks for a password or passkey, and sends the operation again. */
export function notElevated(): ControlRefusal {
  return new ControlRefusal('elevate', 'Show once more that it is you: your password or a passkey.', {
    said: { key: 'right.elevate' },
  })
}
