// The type of an entry in the list of operations. No code: the dashboard's page reads these types.
import type { z } from 'zod'
import type { Scope } from '#cloud/auth/scopes.ts'
import type { Right } from './roles.ts'

export interface Operation<S extends z.ZodType = z.ZodType> {
  /** One line without a full stop. */
  summary: string
  /** Strict: an unknown field is refused. `merchantId` and `environment` in it select the environment. */
  input: S
  /** `changes`: runs in one unit with its audit entry, and at most once for an `Idempotency-Key`. */
  kind: 'reads' | 'changes'
  right: Right
  /** At a merchant of another account that was granted, the scope that the grant must have. */
  scope?: Scope
  /** Requires a password or passkey within the last ten minutes; `live`: only outside of the sandbox. */
  stepUp?: true | 'live'
  /** The answer shows a secret: it is sealed where it is kept for repetitions. */
  isSecret?: true
}

type Guarded<K extends keyof Operation> = Right | ({ right: Right } & Pick<Operation, K>)

/** Keeps the types inside, so that operations of all shapes fit into one list. */
export function reads<S extends z.ZodType>(
  summary: string,
  input: S,
  right: Guarded<'scope'>,
): Operation<S> & { kind: 'reads' } {
  return { summary, input, kind: 'reads', ...(typeof right === 'string' ? { right } : right) }
}

export function changes<S extends z.ZodType>(
  summary: string,
  input: S,
  right: Guarded<'scope' | 'stepUp' | 'isSecret'>,
): Operation<S> & { kind: 'changes' } {
  return { summary, input, kind: 'changes', ...(typeof right === 'string' ? { right } : right) }
}
