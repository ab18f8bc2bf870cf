// API keys: list, make, name, rotate, revoke, change.
import { issueApiKey } from '#cloud/auth/accounts.ts'
import { rotateKey } from '#cloud/auth/rotate-key.ts'
import { defaultScopes, type Environment } from '#cloud/auth/scopes.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { ApiKeysTable } from '#cloud/storage/schema-accounts.ts'
import { isoOrNull, toIso } from '#shared/clock.ts'
import type { KeyId } from '#shared/ids.ts'
import { accountOf } from './act.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import type { Doing, Handlers } from './handler.ts'
import { keyMaker, refuseDeveloper, refuseNotLive, refuseTooMany, tellOfKey } from './key-checks.ts'
import type { KEY_OPERATIONS, KeyAnswer } from './key-list.ts'

const DAY_MS = 86_400_000

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

const makerName = (doing: Doing): string | null => (doing.by === 'person' ? doing.name : null)

export const KEY_HANDLERS: Pick<Handlers, keyof typeof KEY_OPERATIONS> = {
  'keys.list': async ({ apiKeys, clock }, doing) =>
    (await apiKeys.ofAccount(accountOf(doing))).map((key) => keyAnswer(key, clock.now())),

  'keys.create': async (context, doing, { environment, name, scopes, expiresInDays }) => {
    const accountId = accountOf(doing)
    await refuseNotLive(context, { accountId, environment }, doing.tx)
    refuseDeveloper(keyMaker(doing), environment, scopes ?? defaultScopes(environment))
    await refuseTooMany(doing.tx, context, { doing, accountId })
    const expiresAtMs = expiresInDays === undefined ? undefined : context.clock.now() + expiresInDays * DAY_MS
    const issued = await issueApiKey(doing.tx, context, {
      accountId,
      environment,
      ...(name === undefined ? {} : { name }),
      ...(scopes === undefined ? {} : { scopes }),
      ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    })
    const after = { environment, name, scopes: scopes ?? 'default', expiresAtMs }
    const key = { account_id: accountId, environment, hint: issued.apiKey.slice(-4), name: name ?? null }
    const wake = await tellOfKey(doing.tx, context, { deed: 'made', key, by: makerName(doing) })
    return { answer: issued, audit: { accountId, action: 'key.create', subject: issued.keyId, after }, wake }
  },

  'keys.rotate': async (context, doing, { keyId, environment }) => {
    const old = await requireKey(doing.tx, context, { doing, keyId, environment })
    refuseDeveloper(keyMaker(doing), old.environment, JSON.parse(old.scopes) as string[])
    await refuseTooMany(doing.tx, context, { doing, accountId: old.account_id })
    const rotation = await rotateKey(doing.tx, context, keyId)
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
    const wake = await tellOfKey(doing.tx, context, { deed: 'rotated', key: old, by: makerName(doing) })
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

  'keys.revoke': async (context, doing, { keyId, environment }) => {
    const old = await requireKey(doing.tx, context, { doing, keyId, environment })
    if (old.revoked_at !== null) return { answer: { keyId, revokedAt: toIso(old.revoked_at) } }
    const now = context.clock.now()
    await context.apiKeys.revoke(doing.tx, keyId, now)
    const wake = await tellOfKey(doing.tx, context, { deed: 'revoked', key: old, by: makerName(doing) })
    return {
      wake,
      answer: { keyId, revokedAt: toIso(now) },
      audit: { accountId: old.account_id, action: 'key.revoke', subject: keyId },
    }
  },

  'keys.rename': async (context, doing, { keyId, environment, name }) => {
    const old = await requireKey(doing.tx, context, { doing, keyId, environment })
    if (old.name === name) return { answer: { keyId, name } }
    await context.apiKeys.change(doing.tx, keyId, { name })
    const entry = { accountId: old.account_id, action: 'key.rename' as const, subject: keyId }
    return { answer: { keyId, name }, audit: { ...entry, before: { name: old.name }, after: { name } } }
  },

  'keys.scopes': async (context, doing, { keyId, environment, scopes }) => {
    const old = await requireKey(doing.tx, context, { doing, keyId, environment })
    refuseDeveloper(keyMaker(doing), old.environment, scopes)
    await context.apiKeys.change(doing.tx, keyId, { scopes: JSON.stringify(scopes) })
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
