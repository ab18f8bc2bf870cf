// The sender of a request: the person whose browser has this token, with their current state.
import { IDLE_MS, LONGEST_MS, type LoginSessionStore, type SessionWithUser } from '#cloud/storage/session-store.ts'
import type { Clock } from '#shared/clock.ts'
import { sha256Hex } from '#shared/gateway-token.ts'
import type { AccountId, SignInId, UserId } from '#shared/ids.ts'

export interface SignedIn {
  sessionId: SignInId
  userId: UserId
  name: string
  email: string
  /** As in shared/languages.ts. */
  language: string
  isOperator: boolean
  /** Until when the password or passkey that was shown counts; epoch ms. */
  elevatedUntilMs: number | null
  /** The account that an operator views. */
  viewing: Viewing | null
  /** When it was used last, to the five minutes; epoch ms. */
  seenAtMs: number
}

export interface Viewing {
  accountId: AccountId
  reason: string
  untilMs: number
}

/** @param kept the token as it is kept (shared/pages/cookies.ts) @returns null when there is no such session, it has ended, or its person may not sign in */
export async function findSignedIn(
  { logins, clock }: { logins: LoginSessionStore; clock: Clock },
  kept: string | null,
): Promise<SignedIn | null> {
  const row = kept === null ? null : await logins.byToken(tokenHash(kept))
  if (row === null || row.disabled_at !== null) return null
  const nowMs = clock.now()
  // A clock that was put right may show a session as begun in the future: that one has ended too.
  if (Math.abs(nowMs - row.seen_at) > IDLE_MS || Math.abs(nowMs - row.created_at) > LONGEST_MS) return null
  return signedInOf(row, nowMs)
}

/** @param kept the token as it is kept */
export function tokenHash(kept: string): string {
  return sha256Hex(`session ${kept}`)
}

function signedInOf(row: SessionWithUser, nowMs: number): SignedIn {
  const { view_account_id: accountId, view_reason: reason, view_until: untilMs } = row
  const views = row.is_operator === 1 && accountId !== null && untilMs !== null && untilMs > nowMs
  return {
    sessionId: row.id,
    userId: row.user_id,
    name: row.name,
    email: row.email,
    language: row.language,
    isOperator: row.is_operator === 1,
    elevatedUntilMs: row.elevated_until,
    viewing: views ? { accountId, reason: reason ?? '', untilMs } : null,
    seenAtMs: row.seen_at,
  }
}
