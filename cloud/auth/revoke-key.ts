// Revocation by the client: of the calling key, or of another one of its account whose full text it sends.
import type { ApiKeyStore } from '#cloud/storage/api-key-store.ts'
import { recordAudit } from '#cloud/storage/audit-store.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { Effect } from '#cloud/storage/effect.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import type { RevokedKey, RevokeKey } from '#shared/wire/api/account.ts'
import { hashApiKey, type Principal } from './api-keys.ts'

/**
 * Revokes a key from the next request on. Revoking it again returns the first time. A key's id is not enough: an attacker with a read-only
 * key must not be able to revoke the others of the account.
 * @throws ServiceError key.not_found (404): not a key of this account, with the same answer for one of another account
 */
export async function revokeApiKey(
  tx: Tx,
  deps: { apiKeys: ApiKeyStore; clock: Clock },
  { principal, body }: { principal: Principal; body: RevokeKey },
): Promise<Effect<RevokedKey>> {
  const row =
    body.key === undefined
      ? await deps.apiKeys.find(tx, principal.keyId)
      : await deps.apiKeys.findByHash(tx, hashApiKey(body.key))
  if (row === null || row.account_id !== principal.accountId) throw new ServiceError('key.not_found')
  const revokedAtMs = row.revoked_at ?? deps.clock.now()
  if (row.revoked_at === null) {
    await deps.apiKeys.revoke(tx, row.id, revokedAtMs)
    await recordAudit(tx, {
      at: revokedAtMs,
      actor: principal.keyId,
      via: 'api',
      account_id: row.account_id,
      action: 'key.revoke',
      subject: row.id,
    })
  }
  return { answer: { keyId: row.id, revokedAt: toIso(revokedAtMs) } }
}
