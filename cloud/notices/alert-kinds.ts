// The kinds of alerts, and the values in the sentences about each of them.
import { ACCOUNT_ALERT_KINDS } from '#shared/wire/alert-event.ts'

/** `outbox-old` is for operators. @see docs/notices.md */
export const ALERT_KINDS = [...ACCOUNT_ALERT_KINDS, 'outbox-old'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** The restaurant and its kitchen, by their names. */
interface InKitchen {
  place: string
}

/** A webhook endpoint by the origin of its URL: path and query may be a secret. */
interface OfEndpoint {
  site: string
}

/** `percent` of what the plan includes, whole; `month` as 2026-11. */
interface OfUsage {
  percent: number
  month: string
}

/** What is known of an alert of each kind, besides since when. */
export interface AlertValues {
  'box-silent': InKitchen
  /** `waiting`: tickets that wait for it. */
  'printer-away': InKitchen & { printer: string; waiting: number }
  /** `tickets`: how many are late. */
  'ticket-late': InKitchen & { tickets: number }
  'ticket-uncertain': InKitchen & { tickets: number }
  'endpoint-failing': OfEndpoint
  'endpoint-failing-long': OfEndpoint
  'endpoint-disabled': OfEndpoint
  /** Positive: the box's clock is ahead. */
  'clock-off': InKitchen & { seconds: number }
  'usage-high': OfUsage
  'usage-full': OfUsage
  /** `waiting`: how many wait for longer than the rule allows. */
  'outbox-old': { what: 'mail' | 'webhooks' | 'channels'; waiting: number }
}

/** A kind with the values of that kind. */
export type AlertFact = { [K in AlertKind]: { kind: K; values: AlertValues[K] } }[AlertKind]
