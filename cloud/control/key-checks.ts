// What is asked before an API key is made or given more, whichever way a person does it; and the mail that owners get of it.
import { type Environment, RECEPTIONIST_SCOPE } from '#cloud/auth/scopes.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { ApiKeysTable } from '#cloud/storage/schema-accounts.ts'
import type { AccountId } from '#shared/ids.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import { refuseWayToCustomers } from './customer-mask.ts'
import type { Doing } from './handler.ts'
import { minutesUntilRoom, refuseBeyond } from './hourly-limit.ts'
import { requireAccount } from './require.ts'
import type { Role } from './roles.ts'
import { tellOwners } from './tell-owners.ts'

/** Of an account, within an hour. */
const MOST_KEYS = 30

/** Who makes a key. `role` null: the operator's command line, or an operator who views. */
export interface KeyMaker {
  role: Role | null
  seesCustomers: boolean
}

export const keyMaker = (doing: Doing): KeyMaker => ({
  role: doing.by === 'person' ? doing.role : null,
  seesCustomers: doing.seesCustomers,
})

/** @throws ControlRefusal: a live key of an account that was not approved for live */
export async function refuseNotLive(
  { accounts }: Pick<ControlContext, 'accounts'>,
  { accountId, environment }: { accountId: AccountId; environment: Environment },
  tx?: Tx,
): Promise<void> {
  if (environment === 'sandbox') return
  const account = await accounts.find(accountId, tx)
  if ((account?.live_approved_at ?? null) !== null) return
  throw new ControlRefusal('refused', `${accountId} is not approved for live.`, {
    said: { key: 'key.not-live', values: { accountId } },
  })
}

/** A live key that may change something is an owner's to give, and one that reads orders or calls where developers see no customers (docs/keys-and-limits.md). @throws ControlRefusal */
export function refuseDeveloper(
  { role, seesCustomers }: KeyMaker,
  environment: Environment,
  scopes: readonly string[],
): void {
  if (scopes.includes('orders:read') || scopes.includes(RECEPTIONIST_SCOPE))
    refuseWayToCustomers({ seesCustomers }, environment)
  const writes = scopes.filter((scope) => !scope.endsWith(':read'))
  if (role !== 'developer' || environment !== 'live' || writes.length === 0) return
  const names = writes.join(', ')
  throw new ControlRefusal(
    'forbidden',
    `A live key with ${names} needs an owner: ask one of your account to do this.`,
    {
      said: { key: 'key.needs-owner', values: { scopes: names } },
    },
  )
}

/** Owners get mail about each. Revoking a key is never refused. @throws ControlRefusal */
export async function refuseTooMany(
  tx: Tx,
  context: ControlContext,
  {
    doing,
    accountId,
    notMadeYet = async () => 0,
  }: {
    doing: Doing
    accountId: AccountId
    /** Keys that were promised, and count already. Asked while the account is held. */
    notMadeYet?: (tx: Tx) => Promise<number>
  },
): Promise<void> {
  if (doing.by !== 'person') return
  await refuseBeyond(tx, context, {
    accountId,
    most: MOST_KEYS,
    key: 'key.too-many',
    words: `${MOST_KEYS} keys were made`,
    count: async (sinceMs) => {
      const { count, firstMs } = await context.apiKeys.made(tx, accountId, sinceMs)
      return { count: count + (await notMadeYet(tx)), firstMs }
    },
  })
}

/** For a key that was promised before. @returns minutes until it may be made; null: now */
export function minutesUntilKey(tx: Tx, context: ControlContext, accountId: AccountId): Promise<number | null> {
  const count = (sinceMs: number) => context.apiKeys.made(tx, accountId, sinceMs)
  return minutesUntilRoom(tx, context, { accountId, most: MOST_KEYS, count })
}

interface ToldKey {
  deed: 'made' | 'rotated' | 'revoked'
  key: Pick<ApiKeysTable, 'account_id' | 'environment' | 'hint' | 'name'>
  /** The person, by name; null: the operator's command line. */
  by: string | null
}

/** Mail to the owners: a key that nobody of them knows of is found by it. @returns `wake` */
export async function tellOfKey(tx: Tx, context: ControlContext, { deed, key, by }: ToldKey): Promise<() => void> {
  const { account_id: accountId, environment, hint: endsWith, name } = key
  const account = await requireAccount(context, accountId, tx)
  const accountName = account.name
  const values = { deed, environment, endsWith, name, accountName, by: by ?? 'Ticketrail', atMs: context.clock.now() }
  return tellOwners(tx, context, { accountId, notice: { kind: 'key', values } })
}
