// What the handler of an operation is: what it gets, and what it gives back.
import type { Tx } from '#cloud/storage/database.ts'
import type { Effect } from '#cloud/storage/effect.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { ChosenBy } from '#cloud/webhooks/target-guard.ts'
import type { Act } from './act.ts'
import type { OperationAnswers } from './answers.ts'
import type { AuditEntry, ControlContext } from './context.ts'
import type { OPERATIONS, OperationInput, OperationName } from './operations.ts'

/** The context of a handler: the actor, the merchant that the input names, whether the actor sees customers of live merchants, and has shown again who it is. */
export type Doing = Act & { merchant: MerchantRecord | null; seesCustomers: boolean; isElevated: boolean }

/** A change works in one unit of its own, with its audit entry. */
export type Changing = Doing & { tx: Tx }

/** The effect of a change, applied after its commit. */
export interface Changed<T> extends Effect<T> {
  audit?: AuditEntry | readonly AuditEntry[]
}

export type ReadHandler<N extends OperationName> = (
  context: ControlContext,
  doing: Doing,
  input: OperationInput<N>,
) => Promise<OperationAnswers[N]>

export type ChangeHandler<N extends OperationName> =
  | ((context: ControlContext, doing: Changing, input: OperationInput<N>) => Promise<Changed<OperationAnswers[N]>>)
  | CheckedChange<N>
  | AloneChange<N>

/** `before` uses the network, such as a name server: not in the transaction, and not for a repetition. It may refuse. */
export interface CheckedChange<N extends OperationName> {
  before: (context: ControlContext, doing: Doing, input: OperationInput<N>) => Promise<void>
  run: (context: ControlContext, doing: Changing, input: OperationInput<N>) => Promise<Changed<OperationAnswers[N]>>
}

/** A change that has units of its own, and is harmless when it is made twice. */
interface AloneChange<N extends OperationName> {
  alone: ReadHandler<N>
}

export type Handlers = {
  [N in OperationName]: (typeof OPERATIONS)[N]['kind'] extends 'reads' ? ReadHandler<N> : ChangeHandler<N>
}

/** The merchant that the input named. @throws Error where the operation has no `merchantId`: a bug */
export function merchantOf({ merchant }: Doing): MerchantRecord {
  if (merchant === null) throw new Error('this operation needs a merchantId')
  return merchant
}

/** The guard under which an address in this call is checked. */
export function chosenBy({ by }: Doing): ChosenBy {
  return by === 'console' ? 'operator' : 'client'
}
