// The kinds of mail that leave the relay, and what stands in each. Another kind is a line here; the types then ask for its words in each language.
import type { AlertFact } from './alert-kinds.ts'

interface AlertValuesInMail {
  alert: AlertFact
  /** Epoch ms. */
  sinceMs: number
  /** Of the dashboard's page that shows it; null: no public address is set. */
  link: string | null
}

export interface NoticeValues {
  /** What a person types at the dashboard. `minutes`: how long it counts. */
  code: { purpose: 'sign-up' | 'sign-in' | 'reset'; code: string; minutes: number }
  /** Somebody signs up with an address that is known already: the page says the same as for a new one. */
  'already-known': { link: string }
  /** `link` accepts it. `role` of cloud/control/roles.ts, or one of those who run the relay. */
  invitation: {
    link: string
    accountName: string
    role: 'staff' | 'developer' | 'manager' | 'owner' | 'operator'
    invitedBy: string
    expiresAtMs: number
  }
  /** A sign-in from a browser that was not seen before. `agent`: what it says of itself. */
  'new-device': {
    atMs: number
    address: string
    agent: string
    method: 'password' | 'passkey' | 'code' | 'link'
    link: string
  }
  /** What a person signs in with was changed. `name`: of the passkey, null: it was the password. */
  'sign-in-changed': {
    deed: 'password-set' | 'passkey-added' | 'passkey-removed'
    name: string | null
    atMs: number
    link: string
  }
  /** `endsWith`: the last four characters of the key. `name`: null where it has none. `by`: who did it, a name. */
  key: {
    deed: 'made' | 'rotated' | 'revoked'
    environment: 'sandbox' | 'live'
    endsWith: string
    name: string | null
    accountName: string
    by: string
    atMs: number
  }
  /** To the owners of a restaurant. Not what the partner wrote: a stranger's words are for the page, where it is seen whose they are. */
  'access-asked': {
    merchantId: string
    merchantName: string
    partnerId: string
    partnerName: string
    scopes: readonly string[]
    atMs: number
  }
  /** To the owners of the partner. `scopes` that it has now; null: all that its keys have. A restaurant that says no stays without a name. */
  'access-answered': {
    deed: 'approved' | 'narrowed' | 'declined' | 'removed'
    merchantId: string
    accountName: string
    scopes: readonly string[] | null
    atMs: number
  }
  /** What those who run the relay said. `plan`: on which one the account is now. */
  'request-answered': { answer: 'live' | 'plan' | 'refused'; plan: string; accountName: string; atMs: number }
  'alert-began': AlertValuesInMail
  'alert-ended': AlertValuesInMail & { endedMs: number }
  /** `month` as 2026-11; `totalCents` of US dollars, null: by contract. */
  invoice: { accountName: string; month: string; totalCents: number | null; link: string | null }
  /** `by`: who asked for it, a name. */
  test: { by: string }
}

export type NoticeKind = keyof NoticeValues

/** A kind with the values of that kind. */
export type Notice = { [K in NoticeKind]: { kind: K; values: NoticeValues[K] } }[NoticeKind]

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** How long after it was written a mail may still be sent. What a code or a link says of itself comes first. */
export function lastsMs(notice: Notice, nowMs: number): number {
  if (notice.kind === 'code') return notice.values.minutes * MINUTE_MS
  if (notice.kind === 'invitation') return Math.max(0, notice.values.expiresAtMs - nowMs)
  return notice.kind === 'test' ? 60 * MINUTE_MS : 3 * DAY_MS
}
