// What counts of each kind of alert where the owner has set nothing.
import type { AlertKind } from './alert-kinds.ts'

export interface AlertDefaults {
  severity: 'critical' | 'warning'
  /** Minutes that it must last before it is reported. */
  afterMinutes: number
  /** Whether mail is sent in live. In the sandbox it is sent only where a rule requests it. */
  isOn: boolean
  /** The page of the dashboard where something can be done about it. */
  page: 'kitchens' | 'orders' | 'webhooks' | 'usage' | 'outbox'
  /** Where a rule may be about one merchant. */
  ofMerchant: boolean
}

const KITCHEN = { page: 'kitchens', ofMerchant: true } as const
const ENDPOINT = { page: 'webhooks', ofMerchant: true, severity: 'warning' } as const
const USAGE = { page: 'usage', ofMerchant: false, severity: 'warning', afterMinutes: 0, isOn: true } as const

/**
 * In the order of lists: the worst first. Alerts about kitchens are off: a box that is switched off for the night would send two mails a
 * day. People switch on what they want.
 */
export const ALERT_DEFAULTS: Readonly<Record<AlertKind, AlertDefaults>> = {
  'outbox-old': { page: 'outbox', ofMerchant: false, severity: 'critical', afterMinutes: 0, isOn: true },
  'ticket-late': { ...KITCHEN, page: 'orders', severity: 'critical', afterMinutes: 3, isOn: false },
  'ticket-uncertain': { ...KITCHEN, page: 'orders', severity: 'critical', afterMinutes: 0, isOn: false },
  'printer-away': { ...KITCHEN, severity: 'critical', afterMinutes: 5, isOn: false },
  'box-silent': { ...KITCHEN, severity: 'critical', afterMinutes: 5, isOn: false },
  'endpoint-disabled': { ...ENDPOINT, severity: 'critical', afterMinutes: 0, isOn: true },
  'endpoint-failing-long': { ...ENDPOINT, afterMinutes: 1_440, isOn: true },
  'endpoint-failing': { ...ENDPOINT, afterMinutes: 60, isOn: false },
  'usage-full': USAGE,
  'usage-high': USAGE,
  'clock-off': { ...KITCHEN, severity: 'warning', afterMinutes: 10, isOn: false },
}

const ORDER = Object.keys(ALERT_DEFAULTS)

/** For lists: the worst first, and of one kind what has lasted longest. */
export function worstAlertFirst(a: { kind: AlertKind; sinceMs: number }, b: { kind: AlertKind; sinceMs: number }) {
  return ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || a.sinceMs - b.sinceMs
}

/** Kinds with the same meaning and less severity: when one begins, these of the same subject end without a notice. */
export const SAYS_MORE_THAN: Partial<Record<AlertKind, readonly AlertKind[]>> = {
  'endpoint-failing-long': ['endpoint-failing'],
  'endpoint-disabled': ['endpoint-failing', 'endpoint-failing-long'],
  'usage-full': ['usage-high'],
}

/** The end of a month needs no notice. */
export const ENDS_QUIETLY: readonly AlertKind[] = ['usage-high', 'usage-full']
