// API keys: list, make, name, rotate, revoke, change.
import { issueApiKey } from '#cloud/auth/accounts.ts'
import { rotateKey } from '#cloud/auth/rotate-key.ts'
import { defaultScopes, type Environment } from '#cloud/auth/scopes.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { ApiKeysTable } from '#cloud/storage/schema-accounts.ts'
import { isoOrNull, toIso } from '#shared/clock.ts'
import type { AccountId, KeyId } from '#shared/ids.ts'
import { accountOf } from './act.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import { refuseWayToCustomers } from './customer-mask.ts'
import type { Doing, Handlers } from './handler.ts'
import { refuseBeyond } from './hourly-limit.ts'
import type { KEY_OPERATIONS, KeyAnswer } from './key-list.ts'
import { requireAccount } from './require.ts'
import { tellOwners } from './tell-owners.ts'

const DAY_MS = 86_400_000
/** Of an account, within an hour. */
const MOST_KEYS = 30

/** Reads the key inside the unit that changes it. @throws ControlRefusal not-found: also for one of another account */
async function requireKey(
  tx: Tx,
  { apiKeys }: ControlContext,
  { doing, keyId, environment }: { doing: Doing; keyId: KeyId; environment: Environment | undefined },
): Promise<ApiKeysTable> {
  const key = await apiKeys.find(tx, keyId)
  const isMeant = environment === undefined || key?.environment === environment
  if (key === null || !isMeant || (doing.by === 'person' && key.account_id !== doing.accountId))
    throw new ControlRefusal('not-found', `There is no key ${keyId}.`, { said: { key: 'key.unknown' } })
  return key
}

/** A live key that may change something is an owner's to give, and one that reads orders where developers see no customers (docs/keys-and-limits.md). @throws ControlRefusal */
function refuseDeveloper(doing: Doing, environment: Environment, scopes: readonly string[]): void {
  if (scopes.includes('orders:read')) refuseWayToCustomers(doing, environment)
  const writes = scopes.filter((scope) => !scope.endsWith(':read'))
  if (doing.by !== 'person' || doing.role !== 'developer' || environment !== 'live' || writes.length === 0) return
  const names = writes.join(', ')
  throw new ControlRefusal(
    'forbidden',
    `A live key with ${names} needs an owner: ask one of your account to do this.`,
    {
      said: { key: 'key.needs-owner', values: { scopes: names } },
    },
  )
}

/** Owners are told of each. To end a key is never refused. @throws ControlRefusal */
async function refuseTooMany(tx: Tx, context: ControlContext, doing: Doing, accountId: AccountId): Promise<void> {
  if (doing.by !== 'person') return
  await refuseBeyond(tx, context, {
    accountId,
    most: MOST_KEYS,
    key: 'key.too-many',
    words: `${MOST_KEYS} keys were made`,
    count: (sinceMs) => context.apiKeys.made(tx, accountId, sinceMs),
  })
}

interface ToldKey {
  deed: 'made' | 'rotated' | 'revoked'
  key: Pick<ApiKeysTable, 'account_id' | 'environment' | 'hint' | 'name'>
}

/** Mail to the owners: a key that nobody of them knows of is found by it. @returns `wake` */
async function tellOfKey(tx: Tx, context: ControlContext, doing: Doing, { deed, key }: ToldKey): Promise<() => void> {
  const { account_id: accountId, environment, hint: endsWith, name } = key
  const account = await requireAccount(context, accountId)
  const by = doing.by === 'person' ? doing.name : 'Ticketrail'
  const values = { deed, environment, endsWith, name, accountName: account.name, by, atMs: context.clock.now() }
  return tellOwners(tx, context, accountId, { kind: 'key', values })
}

export const KEY_HANDLERS: Pick<Handlers, keyof typeof KEY_OPERATIONS> = {
  'keys.list': async ({ apiKeys, clock }, doing) =>
    (await apiKeys.ofAccount(accountOf(doing))).map((key) => keyAnswer(key, clock.now())),

  'keys.create': async (tx, context, doing, { environment, name, scopes, expiresInDays }) => {
    const accountId = accountOf(doing)
    const account = await context.accounts.find(accountId)
    if (environment === 'live' && (account?.live_approved_at ?? null) === null)
      throw new ControlRefusal('refused', `${accountId} is not approved for live.`, {
        said: { key: 'key.not-live', values: { accountId } },
      })
    refuseDeveloper(doing, environment, scopes ?? defaultScopes(environment))
    await refuseTooMany(tx, context, doing, accountId)
    const expiresAtMs = expiresInDays === undefined ? undefined : context.clock.now() + expiresInDays * DAY_MS
    const issued = await issueApiKey(tx, context, {
      accountId,
      environment,
      ...(name === undefined ? {} : { name }),
      ...(scopes === undefined ? {} : { scopes }),
      ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    })
    const after = { environment, name, scopes: scopes ?? 'default', expiresAtMs }
    const key = { account_id: accountId, environment, hint: issued.apiKey.slice(-4), name: name ?? null }
    const wake = await tellOfKey(tx, context, doing, { deed: 'made', key })
    return { answer: issued, audit: { accountId, action: 'key.create', subject: issued.keyId, after }, wake }
  },

  'keys.rotate': async (tx, context, doing, { keyId, environment }) => {
    const old = await requireKey(tx, context, { doing, keyId, environment })
    refuseDeveloper(doing, old.environment, JSON.parse(old.scopes) as string[])
    await refuseTooMany(tx, context, doing, old.account_id)
    const rotation = await rotateKey(tx, context, keyId)
    if (rotation.kind === 'already-rotated')
      throw new ControlRefusal(
        'refused',
        `${keyId} was rotated before: ${rotation.successor} took its place. Rotate that one.`,
        { said: { key: 'key.already-rotated' } },
      )
    if (rotation.kind !== 'rotated')
      throw new ControlRefusal('refused', `${keyId} has ended and cannot be rotated. Make a new one.`, {
        said: { key: 'key.ended' },
      })
    const after = { replacedBy: rotation.keyId, endsAtMs: rotation.oldEndsAtMs }
    const wake = await tellOfKey(tx, context, doing, { deed: 'rotated', key: old })
    return {
      wake,
      answer: {
        keyId: rotation.keyId,
        apiKey: rotation.apiKey,
        oldKeyId: keyId,
        oldEndsAt: toIso(rotation.oldEndsAtMs),
      },
      audit: { accountId: old.account_id, action: 'key.rotate', subject: keyId, after },
    }
  },

  'keys.revoke': async (tx, context, doing, { keyId, environment }) => {
    const old = await requireKey(tx, context, { doing, keyId, environment })
    if (old.revoked_at !== null) return { answer: { keyId, revokedAt: toIso(old.revoked_at) } }
    const now = context.clock.now()
    await context.apiKeys.revoke(tx, keyId, now)
    const wake = await tellOfKey(tx, context, doing, { deed: 'revoked', key: old })
    return {
      wake,
      answer: { keyId, revokedAt: toIso(now) },
      audit: { accountId: old.account_id, action: 'key.revoke', subject: keyId },
    }
  },

  'keys.rename': async (tx, context, doing, { keyId, environment, name }) => {
    const old = await requireKey(tx, context, { doing, keyId, environment })
    if (old.name === name) return { answer: { keyId, name } }
    await context.apiKeys.change(tx, keyId, { name })
    const entry = { accountId: old.account_id, action: 'key.rename' as const, subject: keyId }
    return { answer: { keyId, name }, audit: { ...entry, before: { name: old.name }, after: { name } } }
  },

  'keys.scopes': async (tx, context, doing, { keyId, environment, scopes }) => {
    const old = await requireKey(tx, context, { doing, keyId, environment })
    refuseDeveloper(doing, old.environment, scopes)
    await context.apiKeys.change(tx, keyId, { scopes: JSON.stringify(scopes) })
    const before = JSON.parse(old.scopes) as unknown
    return {
      answer: { keyId, scopes },
      audit: { accountId: old.account_id, action: 'key.scopes', subject: keyId, before, after: scopes },
    }
  },
}

function keyAnswer(key: ApiKeysTable, nowMs: number): KeyAnswer {
  return {
    keyId: key.id,
    environment: key.environment,
    name: key.name,
    endsWith: key.hint,
    state: stateOf(key, nowMs),
    scopes: JSON.parse(key.scopes) as string[],
    expiresAt: isoOrNull(key.expires_at),
    lastUsedAt: isoOrNull(key.last_used_at),
    createdAt: toIso(key.created_at),
  }
}

function stateOf(key: ApiKeysTable, nowMs: number): KeyAnswer['state'] {
  if (key.revoked_at !== null) return 'revoked'
  if ((key.expires_at ?? Infinity) <= nowMs) return 'expired'
  return key.replaced_by === null ? 'valid' : 'rotated'
}
