// What of the alerts changes, from what is wrong now, what was known, and what the owners have set. Pure.
import type { OpenAlert } from '#cloud/storage/alert-store.ts'
import type { AlertRulesTable } from '#cloud/storage/schema-alerts.ts'
import type { AccountId, AlertId, MerchantKey, UserId } from '#shared/ids.ts'
import { ALERT_DEFAULTS, ENDS_QUIETLY, SAYS_MORE_THAN } from './alert-defaults.ts'
import type { AlertFact, AlertKind } from './alert-kinds.ts'

/** Something that is wrong now. */
export interface FoundAlert {
  fact: AlertFact
  /** Null: of the operators. */
  accountId: AccountId | null
  merchantKey: MerchantKey | null
  environment: 'sandbox' | 'live'
  /** With the kind it names the alert. */
  subject: string
  /** Since when it is known to be so; null: since it was found. */
  sinceMs: number | null
}

export interface AlertRule {
  isOn: boolean
  afterMinutes: number
  /** Null: the owners. */
  recipients: readonly UserId[] | null
  mutedUntilMs: number | null
}

/** The subject of a change; `mails`: mail goes to `recipients`. */
interface OfAlert extends Pick<FoundAlert, 'fact' | 'accountId' | 'merchantKey' | 'subject'> {
  recipients: readonly UserId[] | null
  mails: boolean
}

/**
 * - `open`: it is new; `begins` with it when it has lasted long enough already
 * - `begin`: it has lasted long enough
 * - `restate`: the words about it have other values
 * - `end`: it is over; `drop`: it was over before it began
 */
export type AlertChange =
  | ({ do: 'open'; found: FoundAlert; sinceMs: number; begins: boolean } & OfAlert)
  | ({ do: 'begin'; id: AlertId; sinceMs: number; details: string } & OfAlert)
  | ({ do: 'end'; id: AlertId; sinceMs: number; begunMs: number } & OfAlert)
  | { do: 'restate'; id: AlertId; details: string }
  | { do: 'drop'; id: AlertId }

export interface AlertState {
  found: readonly FoundAlert[]
  open: readonly OpenAlert[]
  rules: readonly AlertRulesTable[]
  /** Ids of open alerts whose state cannot be determined now: they stay as they are. */
  unknown: ReadonlySet<AlertId>
  nowMs: number
}

const MINUTE_MS = 60_000
const keyOf = (kind: string, subject: string): string => `${kind} ${subject}`

export function alertChanges({ found, open, rules, unknown, nowMs }: AlertState): AlertChange[] {
  const known = new Map(open.map((alert) => [keyOf(alert.kind, alert.subject), alert]))
  const ruleOf = ruleFinder(rules)
  const begun = found.map((it) => {
    const alert = known.get(keyOf(it.fact.kind, it.subject))
    const rule = ruleOf(it, it.environment)
    const sinceMs = alert?.since ?? Math.min(it.sinceMs ?? nowMs, nowMs)
    const isLong = sinceMs + rule.afterMinutes * MINUTE_MS <= nowMs
    return { it, alert, rule, sinceMs, begins: (alert?.begun_at ?? null) !== null || isLong }
  })
  const lesser = new Set(
    begun
      .filter(({ begins }) => begins)
      .flatMap(({ it }) => (SAYS_MORE_THAN[it.fact.kind] ?? []).map((kind) => keyOf(kind, it.subject))),
  )
  const wrong = new Map(begun.map((one) => [keyOf(one.it.fact.kind, one.it.subject), one]))
  return [
    ...begun.filter(({ it }) => !lesser.has(keyOf(it.fact.kind, it.subject))).flatMap(changeOfFound),
    ...open.flatMap((alert): AlertChange[] => {
      const key = keyOf(alert.kind, alert.subject)
      const isLess = lesser.has(key)
      if ((wrong.has(key) && !isLess) || unknown.has(alert.id)) return []
      if (alert.begun_at === null) return [{ do: 'drop', id: alert.id }]
      // An alert keeps its environment: whether its end is mailed was decided when it began.
      const { account_id: accountId, merchant_id: merchantKey, subject } = alert
      const of = { accountId, merchantKey, subject, fact: factOf(alert) }
      const rule = ruleOf(of, 'live')
      const isQuiet = isLess || alert.mailed === 0 || ENDS_QUIETLY.includes(of.fact.kind) || isMuted(rule)
      return [
        {
          do: 'end',
          id: alert.id,
          sinceMs: alert.since,
          begunMs: alert.begun_at,
          ...ofAlert(of, rule),
          mails: !isQuiet,
        },
      ]
    }),
  ]

  function changeOfFound({ it, alert, rule, sinceMs, begins }: (typeof begun)[number]): AlertChange[] {
    const of = ofAlert(it, rule)
    const details = JSON.stringify(it.fact.values)
    if (alert === undefined) return [{ do: 'open', found: it, sinceMs, begins, ...of }]
    if (alert.begun_at !== null) return alert.details === details ? [] : [{ do: 'restate', id: alert.id, details }]
    return begins ? [{ do: 'begin', id: alert.id, sinceMs, details, ...of }] : []
  }

  function ofAlert(of: Omit<OfAlert, 'recipients' | 'mails'>, rule: AlertRule): OfAlert {
    const { fact, accountId, merchantKey, subject } = of
    return { fact, accountId, merchantKey, subject, recipients: rule.recipients, mails: rule.isOn && !isMuted(rule) }
  }

  function isMuted({ mutedUntilMs }: AlertRule): boolean {
    return mutedUntilMs !== null && mutedUntilMs > nowMs
  }
}

/** What was written down of it. */
export function factOf({ kind, details }: Pick<OpenAlert, 'kind' | 'details'>): AlertFact {
  // Written by this room alone.
  return { kind: kind as AlertKind, values: JSON.parse(details) } as AlertFact
}

/** The rule of the merchant, else that of the account, else the default. */
export function ruleFinder(rules: readonly AlertRulesTable[]) {
  const byKey = new Map(rules.map((rule) => [`${rule.account_id} ${rule.merchant_id} ${rule.kind}`, rule]))
  return (
    of: Pick<FoundAlert, 'accountId' | 'merchantKey'> & { fact: Pick<AlertFact, 'kind'> },
    environment: 'sandbox' | 'live',
  ): AlertRule => {
    const { kind } = of.fact
    const row =
      byKey.get(`${of.accountId} ${of.merchantKey ?? ''} ${kind}`) ?? byKey.get(`${of.accountId}  ${kind}`) ?? null
    return row === null ? defaultRule(kind, environment) : ruleOfRow(row)
  }
}

export function defaultRule(kind: AlertKind, environment: 'sandbox' | 'live'): AlertRule {
  const { isOn, afterMinutes } = ALERT_DEFAULTS[kind]
  return { isOn: isOn && environment === 'live', afterMinutes, recipients: null, mutedUntilMs: null }
}

export function ruleOfRow(row: AlertRulesTable): AlertRule {
  return {
    isOn: row.is_on === 1,
    afterMinutes: row.after_minutes,
    recipients: row.recipients === null ? null : (JSON.parse(row.recipients) as UserId[]),
    mutedUntilMs: row.muted_until,
  }
}
