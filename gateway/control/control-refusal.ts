// A refused operation, with words for the person who asked. Anything else that is thrown is a bug.
import type { FieldError } from '#shared/errors.ts'

/** `printer-fault`: the operation was right, but the printer cannot do it now. `relay-unreachable`: nor can the relay be asked. `busy`: in a few seconds it can be done. */
export type RefusalKind = 'invalid' | 'not-found' | 'refused' | 'printer-fault' | 'relay-unreachable' | 'busy'

/** The status over HTTP, on the control socket and for the page. */
export const REFUSAL_STATUS: Readonly<Record<RefusalKind, number>> = {
  invalid: 422,
  'not-found': 404,
  refused: 409,
  'printer-fault': 502,
  'relay-unreachable': 502,
  busy: 503,
}

/** The key of the sentence with which a page in another language shows the English message, and its values. */
export interface Said {
  /** Stable, such as `printer.name-taken`. */
  key: string
  values?: Readonly<Record<string, string | number>>
}

/** A wrong field; `rule` names what it breaks, such as `at-least` with its limit. */
export interface FieldRefusal extends FieldError {
  rule?: { key: string; limit: number | null }
}

export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal'
  readonly kind: RefusalKind
  readonly errors: readonly FieldRefusal[]
  readonly said: Said | null

  constructor(
    kind: RefusalKind,
    message: string,
    { errors = [], said = null }: { errors?: readonly FieldRefusal[]; said?: Said | null } = {},
  ) {
    super(message)
    this.kind = kind
    this.errors = errors
    this.said = said
  }
}
