// The one way into every operation: input, right, step-up; a change runs in one unit with its audit entry, and once however often it is asked for.
import { authorize } from '#cloud/auth/authorize.ts'
import type { Environment } from '#cloud/auth/scopes.ts'
import { bodyHash, isHashOf } from '#cloud/orders/body-hash.ts'
import { holdName } from '#cloud/storage/hold.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { AccountId } from '#shared/ids.ts'
import { type Act, accountOf, type ConsoleAct, type PersonAct } from './act.ts'
import type { OperationAnswers } from './answers.ts'
import { checkedInput } from './checked-input.ts'
import { audited, type ControlContext } from './context.ts'
import { ControlRefusal, notElevated } from './control-refusal.ts'
import { seesCustomers } from './customer-mask.ts'
import type { ChangeHandler, CheckedChange, Doing, ReadHandler } from './handler.ts'
import { HANDLERS } from './handlers.ts'
import type { Operation } from './operation.ts'
import { OPERATIONS, type OperationInput, type OperationName } from './operations.ts'
import { requireAccount, requireMerchant } from './require.ts'
import { roleMay, rolesFor } from './roles.ts'

/** The person who calls, from the session. */
export interface Asker {
  act: PersonAct
  isOperator: boolean
  /** An operator views another account: nothing can be changed. */
  isViewing: boolean
  /** Until when a password or passkey that was asked for again counts; epoch ms, null: never was. */
  elevatedUntilMs: number | null
  /** Of the tap: with the same one a change is made once, and its answer given again. Null: each call is a change of its own. */
  tapId: string | null
}

/** In place of an account's id, where taps are kept. */
const NO_ACCOUNT = '' as AccountId

/** How long a tap is known. */
const KEEP_MS = 24 * 3_600_000

/**
 * Performs an operation for the operator's line, or for a person.
 * @param raw unchecked
 * @throws ControlRefusal, ServiceError
 */
export async function perform<N extends OperationName>(
  context: ControlContext,
  asker: ConsoleAct | Asker,
  { name, raw }: { name: N; raw: unknown },
): Promise<OperationAnswers[N]> {
  const operation: Operation = OPERATIONS[name]
  const input = checked(operation, raw)
  const environment = environmentIn(input)
  const act = 'act' in asker ? admitted(context, operation, { asker, environment }) : asker
  const merchant = await merchantIn(context, act, { operation, input })
  const isElevated = !('act' in asker) || elevated(context, asker)
  const doing: Doing = { ...act, merchant, seesCustomers: await seesCustomers(context, act), isElevated }
  // The list and the handlers have the same keys, and `checked` made the input: TypeScript cannot follow it through N.
  const handler = HANDLERS[name] as ReadHandler<N> | ChangeHandler<N>
  if (operation.kind === 'reads') return (handler as ReadHandler<N>)(context, doing, input as OperationInput<N>)
  const change = handler as ChangeHandler<N>
  if (typeof change === 'object' && 'alone' in change) return change.alone(context, doing, input as OperationInput<N>)
  const tapId = 'act' in asker ? asker.tapId : null
  return once(context, {
    doing,
    name,
    operation,
    input,
    tapId,
    change: change as ChangeHandler<OperationName>,
  }) as Promise<OperationAnswers[N]>
}

function checked(operation: Operation, raw: unknown): Readonly<Record<string, unknown>> {
  return checkedInput(operation.input, raw ?? {}) as Readonly<Record<string, unknown>>
}

/** What it is about: the merchant's, or the one that is named. Null: neither. */
function environmentIn({ merchantId, environment }: Readonly<Record<string, unknown>>): Environment | null {
  if (typeof merchantId === 'string') return merchantId.startsWith('M-TEST-') ? 'sandbox' : 'live'
  return environment === 'sandbox' || environment === 'live' ? environment : null
}

/** @throws ControlRefusal forbidden, elevate */
function admitted(
  context: ControlContext,
  { right, kind, stepUp }: Operation,
  { asker, environment }: { asker: Asker; environment: Environment | null },
): PersonAct {
  const { act, isOperator, isViewing } = asker
  if (right === 'operator' && !isOperator)
    throw new ControlRefusal('forbidden', 'Only those who run this relay may do this.', {
      said: { key: 'right.operator' },
    })
  if (right !== 'operator' && right !== 'self') {
    if (isViewing && kind === 'changes')
      throw new ControlRefusal('forbidden', 'You are viewing another account: nothing can be changed.', {
        said: { key: 'right.viewing' },
      })
    if (act.accountId === null || (act.role === null && !isViewing))
      throw new ControlRefusal('forbidden', 'You are not a member of this account.', { said: { key: 'right.member' } })
    if (act.role !== null && !roleMay(act.role, right, { kind, environment })) {
      const roles = rolesFor(right, { kind, environment }).join(', ')
      throw new ControlRefusal('forbidden', `Your role may not do this. These may: ${roles}.`, {
        said: { key: 'right.role', values: { role: act.role, roles } },
      })
    }
  }
  const wantsStepUp = stepUp === true || (stepUp === 'live' && environment !== 'sandbox')
  if (wantsStepUp && !elevated(context, asker)) throw notElevated()
  return act
}

/** A password or passkey was asked for a moment ago. */
function elevated({ clock }: Pick<ControlContext, 'clock'>, { elevatedUntilMs }: Asker): boolean {
  return (elevatedUntilMs ?? 0) > clock.now()
}

/** @throws ServiceError merchant.not_found, merchant.not_authorized */
async function merchantIn(
  context: ControlContext,
  act: Act,
  {
    operation: { scope, right },
    input: { merchantId },
  }: { operation: Operation; input: Readonly<Record<string, unknown>> },
): Promise<MerchantRecord | null> {
  if (typeof merchantId !== 'string') {
    if (act.by === 'console' && act.accountId !== null) await requireAccount(context, act.accountId)
    return null
  }
  if (act.by === 'console') return requireMerchant(context, act.accountId, merchantId)
  if (right === 'operator') return requireMerchant(context, null, merchantId)
  const environment = merchantId.startsWith('M-TEST-') ? 'sandbox' : 'live'
  const merchant = await authorize(
    context,
    { accountId: accountOf(act), environment, wanted: scope ?? null },
    merchantId,
  )
  if (merchant.ownerAccountId !== merchant.accountId && scope === undefined)
    throw new ControlRefusal('forbidden', 'Only the account that owns this restaurant may do this.', {
      said: { key: 'right.owner-account' },
    })
  return merchant
}

interface Tap {
  doing: Doing
  name: OperationName
  operation: Operation
  input: Readonly<Record<string, unknown>>
  tapId: string | null
  change: ChangeHandler<OperationName>
}

/** Runs the change and its audit entries in one unit. Under a tap that is known, nothing is done and the first answer is given again. */
async function once(context: ControlContext, { doing, name, operation, input, tapId, change }: Tap): Promise<unknown> {
  const { db, idempotency, clock } = context
  const { before, run } =
    typeof change === 'function' ? { before: null, run: change } : (change as CheckedChange<OperationName>)
  const wanted = tapId === null ? null : tapKey(doing, name, tapId)
  const hash = wanted === null ? '' : bodyHash(input)
  const earlier = wanted === null ? null : await idempotency.find(wanted, clock.now())
  if (earlier !== null) return answerOf(context, earlier, input)
  await before?.(context, doing, input as never)
  const outcome = await db.unit(async (tx) => {
    if (wanted !== null) {
      await holdName(tx, 'idempotency', wanted.accountId, wanted.environment, wanted.path, wanted.key)
      const stored = await idempotency.find(wanted, clock.now(), tx)
      if (stored !== null) return { stored }
    }
    const effect = await run(context, { ...doing, tx }, input as never)
    for (const entry of [effect.audit ?? []].flat()) await audited(tx, context, { ...entry, act: doing })
    if (wanted !== null) {
      const text = JSON.stringify(effect.answer ?? null)
      const isSecret = operation.isSecret === true
      await idempotency.insert(tx, {
        account_id: wanted.accountId,
        environment: wanted.environment,
        path: wanted.path,
        key: wanted.key,
        body_hash: hash,
        status: 200,
        response: isSecret ? sealed(context, text) : text,
        sealed: isSecret ? 1 : 0,
        created_at: clock.now(),
        expires_at: clock.now() + KEEP_MS,
      })
    }
    return { effect }
  })
  if ('stored' in outcome) return answerOf(context, outcome.stored, input)
  outcome.effect.wake?.()
  if (outcome.effect.refusal !== undefined) throw outcome.effect.refusal
  return outcome.effect.answer
}

/** Per person: two people who send the same id do two things. */
function tapKey(doing: Doing, name: OperationName, tapId: string) {
  const path = doing.by === 'person' ? `op:${name} ${doing.userId}` : `op:${name}`
  const environment = doing.by === 'person' ? doing.environment : 'sandbox'
  // An operation about the person, or the operator's, belongs to no account: the path has its owner.
  return { accountId: doing.accountId ?? NO_ACCOUNT, environment, path, key: tapId }
}

function answerOf(
  context: ControlContext,
  stored: { body_hash: string; response: string; sealed: number },
  input: unknown,
): unknown {
  if (!isHashOf(stored.body_hash, input))
    throw new ControlRefusal('refused', 'This tap was sent before with other words.', { said: { key: 'tap.mismatch' } })
  return JSON.parse(stored.sealed === 1 ? box(context).open(stored.response) : stored.response)
}

function sealed(context: ControlContext, text: string): string {
  return box(context).seal(text)
}

function box({ secretBox }: ControlContext) {
  if (secretBox === null) throw new Error('a person asks where no secret box is')
  return secretBox
}
