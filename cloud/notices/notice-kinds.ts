// The kinds of mail that the relay sends, and the values of each. Add another kind here; the types then require its words in each language.
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
  /** Somebody signs up with a known address: the page shows the same as for a new one. */
  'already-known': { link: string }
  /** `link` accepts it. `role` of cloud/control/roles.ts, or operator. */
  invitation: {
    link: string
    accountName: string
    role: 'staff' | 'developer' | 'manager' | 'owner' | 'operator'
    invitedBy: string
    expiresAtMs: number
  }
  /** A sign-in from a new browser. `agent`: its own description. */
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
  /** `endsWith`: the last four characters of the key. `name`: null if it has none. `by`: the person's name. */
  key: {
    deed: 'made' | 'rotated' | 'revoked'
    environment: 'sandbox' | 'live'
    endsWith: string
    name: string | null
    accountName: string
    by: string
    atMs: number
  }
  /** To the owners of a restaurant. Without the partner's own text: it is shown on the page, next to its author. */
  'access-asked': {
    merchantId: string
    merchantName: string
    partnerId: string
    partnerName: string
    scopes: readonly string[]
    atMs: number
  }
  /** To the owners of the partner. `scopes` that it has now; null: all that its keys have. A restaurant that declines is not named. */
  'access-answered': {
    deed: 'approved' | 'narrowed' | 'declined' | 'removed'
    merchantId: string
    accountName: string
    scopes: readonly string[] | null
    atMs: number
  }
  /** The operator's answer. `plan`: the account's plan now. */
  'request-answered': { answer: 'live' | 'plan' | 'refused'; plan: string; accountName: string; atMs: number }
  'alert-began': AlertValuesInMail
  'alert-ended': AlertValuesInMail & { endedMs: number }
  /** `month` as 2026-11; `totalCents` of US dollars, null: by contract. */
  invoice: { accountName: string; month: string; totalCents: number | null; link: string | null }
  /** To a customer: `number` as it is on the ticket. */
  'order-ready': { restaurant: string; number: string; readyAtMs: number }
  /** `by`: the name of the person who requested it. */
  test: { by: string }
}

export type NoticeKind = keyof NoticeValues

/** A kind with the values of that kind. */
export type Notice = { [K in NoticeKind]: { kind: K; values: NoticeValues[K] } }[NoticeKind]

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Later than that, that an order is ready is no news: an outage must not send yesterday's. */
export const READY_LASTS_MS = 30 * MINUTE_MS

/** How long after it was written a mail may still be sent. The end of its code or link comes first. */
export function lastsMs(notice: Notice, nowMs: number): number {
  if (notice.kind === 'code') return notice.values.minutes * MINUTE_MS
  if (notice.kind === 'invitation') return Math.max(0, notice.values.expiresAtMs - nowMs)
  if (notice.kind === 'order-ready') return notice.values.readyAtMs + READY_LASTS_MS - nowMs
  return notice.kind === 'test' ? 60 * MINUTE_MS : 3 * DAY_MS
}
