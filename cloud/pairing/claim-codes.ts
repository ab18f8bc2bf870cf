// Makes claim codes: ten characters that a technician types into a box so that it joins a location.
import { randomInt } from 'node:crypto'
import type { ClaimStore } from '#cloud/storage/claim-store.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { Clock, EpochMs } from '#shared/clock.ts'
import { sha256Hex } from '#shared/gateway-token.ts'
import type { LocationId } from '#shared/ids.ts'
import { CLAIM_ALPHABET, CLAIM_CODE_CHARACTERS, CLAIM_VALID_MS, shownClaimCode } from '#shared/wire/gateway-claim.ts'

/** Codes of one location that may wait at the same time. */
const MOST_OPEN = 10

/** A code as people read it, such as `7K2M9-XQ4TB`; shown only here. Null when the location has too many that wait. */
export async function makeClaimCode(
  tx: Tx,
  { claims, clock }: { claims: ClaimStore; clock: Clock },
  { locationId, name, madeBy }: { locationId: LocationId; name: string; madeBy: string },
): Promise<{ code: string; expiresAtMs: EpochMs } | null> {
  const nowMs = clock.now()
  if ((await claims.countOpen(tx, locationId, nowMs)) >= MOST_OPEN) return null
  // 50 random bits: no guess within fifteen minutes comes near.
  const code = Array.from({ length: CLAIM_CODE_CHARACTERS }, () => CLAIM_ALPHABET.charAt(randomInt(32))).join('')
  const expiresAtMs = nowMs + CLAIM_VALID_MS
  await claims.insert(tx, {
    code_hash: sha256Hex(code),
    location_id: locationId,
    gateway_name: name,
    made_by: madeBy,
    created_at: nowMs,
    expires_at: expiresAtMs,
  })
  return { code: shownClaimCode(code), expiresAtMs }
}
