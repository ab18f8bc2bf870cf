// Rotation: a new key takes the place of an old one, which goes on for a day so that the client can change over.
import type { ApiKeyStore } from '#cloud/storage/api-key-store.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { Clock } from '#shared/clock.ts'
import type { KeyId } from '#shared/ids.ts'
import { issueApiKey } from './accounts.ts'
import { KEY_SCOPES } from './scopes.ts'

/** Specification, Authentication 4. */
export const OVERLAP_MS = 24 * 3_600_000

/** `no-key`: unknown. `ended`: revoked or expired. `already-rotated`: rotate `successor` instead. */
export type Rotation =
  | { kind: 'rotated'; keyId: KeyId; apiKey: string; oldEndsAtMs: number }
  | { kind: 'no-key' }
  | { kind: 'ended' }
  | { kind: 'already-rotated'; successor: KeyId }

/**
 * A new key of the same account, environment, name and scopes; the old one ends 24 hours from now, or earlier if it was to end earlier. Whatever
 * key the old one had replaced ends at once: there are never more than two.
 */
export async function rotateKey(tx: Tx, deps: { apiKeys: ApiKeyStore; clock: Clock }, keyId: KeyId): Promise<Rotation> {
  const now = deps.clock.now()
  const old = await deps.apiKeys.find(tx, keyId)
  if (old === null) return { kind: 'no-key' }
  if (old.revoked_at !== null || (old.expires_at ?? Infinity) <= now) return { kind: 'ended' }
  if (old.replaced_by !== null) return { kind: 'already-rotated', successor: old.replaced_by }
  const next = await issueApiKey(tx, deps, {
    accountId: old.account_id,
    environment: old.environment,
    name: old.name,
    scopes: KEY_SCOPES.filter((scope) => (JSON.parse(old.scopes) as unknown[]).includes(scope)),
  })
  const oldEndsAtMs = Math.min(now + OVERLAP_MS, old.expires_at ?? Infinity)
  await deps.apiKeys.change(tx, keyId, { expires_at: oldEndsAtMs, replaced_by: next.keyId })
  for (const oldest of await deps.apiKeys.replacedBy(tx, old.account_id, keyId))
    await deps.apiKeys.revoke(tx, oldest.id, now)
  return { kind: 'rotated', ...next, oldEndsAtMs }
}
