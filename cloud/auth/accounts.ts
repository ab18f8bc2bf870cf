// Accounts and the keys they are given.
import type { AccountStore } from '#cloud/storage/account-store.ts'
import type { ApiKeyStore } from '#cloud/storage/api-key-store.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { Clock } from '#shared/clock.ts'
import { type AccountId, type KeyId, newId } from '#shared/ids.ts'
import { hashApiKey, makeApiKey } from './api-keys.ts'
import { defaultScopes, type Environment, type KeyScope } from './scopes.ts'

/** A new account on the sandbox plan, without approval for live keys. Returns its id. */
export async function createAccount(
  tx: Tx,
  deps: { accounts: AccountStore; clock: Clock },
  account: { name: string },
): Promise<AccountId> {
  const now = deps.clock.now()
  const id = newId('acc', now)
  await deps.accounts.insert(tx, {
    id,
    name: account.name,
    plan: 'sandbox',
    live_approved_at: null,
    created_at: now,
  })
  return id
}

/** Issues a key and returns it in clear: it is shown this once and only its hash is kept. */
export async function issueApiKey(
  tx: Tx,
  deps: { apiKeys: ApiKeyStore; clock: Clock },
  key: {
    accountId: AccountId
    environment: Environment
    name?: string | null
    scopes?: readonly KeyScope[]
    expiresAtMs?: number
  },
): Promise<{ keyId: KeyId; apiKey: string }> {
  const now = deps.clock.now()
  const apiKey = makeApiKey(key.environment)
  const keyId = newId('key', now)
  await deps.apiKeys.insert(tx, {
    id: keyId,
    account_id: key.accountId,
    environment: key.environment,
    hash: hashApiKey(apiKey),
    hint: apiKey.slice(-4),
    name: key.name ?? null,
    scopes: JSON.stringify(key.scopes ?? defaultScopes(key.environment)),
    expires_at: key.expiresAtMs ?? null,
    revoked_at: null,
    last_used_at: null,
    created_at: now,
  })
  return { keyId, apiKey }
}
