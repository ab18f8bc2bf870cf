// A refused operation, with words for the person who asked. Anything else that is thrown is a bug.
import type { FieldError } from '#shared/errors.ts'

/** `printer-fault`: the operation was right, but the printer cannot do it now. */
export type RefusalKind = 'invalid' | 'not-found' | 'refused' | 'printer-fault'

export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal'
  readonly kind: RefusalKind
  readonly errors: readonly FieldError[]

  constructor(kind: RefusalKind, message: string, errors: readonly FieldError[] = []) {
    super(message)
    this.kind = kind
    this.errors = errors
  }
}
