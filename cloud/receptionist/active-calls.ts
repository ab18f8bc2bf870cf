// Calls that go on, as the public contract and the dashboard show them.
import type { ActiveCall } from '#cloud/storage/call-store.ts'
import { maskedNumber } from '#cloud/texts/phone-number.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { isoOrNull, toIso } from '#shared/clock.ts'
import type { ActiveCallAnswer } from '#shared/wire/active-calls.ts'
import { openedOrNull, storedState } from './call-state.ts'

/** More calls at once than a restaurant has: the newest are shown. */
export const MOST_ACTIVE = 100

/** @param isMasked customers are hidden from the viewer */
export function activeCallOf(
  row: ActiveCall,
  { secretBox, nowMs, isMasked }: { secretBox: Pick<SecretBox, 'open'>; nowMs: number; isMasked: boolean },
): ActiveCallAnswer {
  // Null: it is shown without what cannot be read of it, so that the others are shown too.
  const open = (sealed: string) => secretBox.open(sealed)
  const state = storedState(row.state_enc, open)
  const from = openedOrNull(row.from_enc, open)
  return {
    callId: row.id,
    direction: 'inbound',
    from: isMasked ? maskedNumber(from) : from,
    to: row.to_e164,
    callerName: isMasked ? null : (state?.callerName ?? null),
    // Others have ended, and are not read.
    status: row.status as ActiveCallAnswer['status'],
    step: row.step,
    startedAt: toIso(row.started_at),
    answeredAt: isoOrNull(row.answered_at),
    durationSeconds: Math.max(0, Math.floor((nowMs - row.started_at) / 1_000)),
    transferredTo: row.transferred_to,
    lastUtterance: isMasked ? null : (state?.lastWords ?? null),
  }
}
