// The worst problem of a kitchen, from what the relay has of its box: decides the order of the list and its words. Pure.

/** Kinds from the worst to the best; the order of the list. */
export const KITCHEN_KINDS = [
  /** It was connected and is not now: its displays and printers work alone, with what they have. */
  'silent',
  /** A printer does not print, and has no backup that does. */
  'printer-away',
  'no-printer',
  /** The box itself reports a fault. */
  'box-critical',
  /** A printer does not print; another one does in its place. */
  'printer-stands-in',
  /** The box did not take a printer that was proposed. */
  'printer-refused',
  'clock-off',
  'box-warning',
  /** Paper is low, and the like. */
  'printer-attention',
  /** Paired, and never connected since. */
  'never-seen',
  /** The relay has just started, and waits for it. */
  'unknown',
  'fine',
  'simulated',
] as const
export type KitchenKind = (typeof KITCHEN_KINDS)[number]

export interface KitchenCondition {
  kind: KitchenKind
  severity: 'critical' | 'warning' | 'none'
  /** Of the printer that it is about; null: of none. */
  printer: string | null
  /** Word of the box's worst finding, such as `printer-down`; null: it is about something else. */
  finding: string | null
  /** ISO 8601; null: not known. */
  since: string | null
}

const CRITICAL: readonly KitchenKind[] = ['silent', 'printer-away', 'box-critical']
const FINE: readonly KitchenKind[] = ['unknown', 'fine', 'simulated']
/** Beyond it, times on tickets are wrong for people. */
const CLOCK_OFF_MS = 30_000

export interface KitchenFacts {
  simulated: boolean
  presence: 'online' | 'offline' | 'unknown'
  lastSeenAt: string | null
  pairedAt: string
  clockSkewMs: number | null
  health: { critical: number; warning: number; worst: string | null; since: string | null } | null
  printers: readonly {
    name: string
    printerId: string | null
    state: 'online' | 'offline' | 'unknown'
    reasons: readonly string[]
    standIn: string | null
    proposal: { state: string } | null
  }[]
}

export function kitchenCondition(facts: KitchenFacts): KitchenCondition {
  const about = found(facts)
  const severity = CRITICAL.includes(about.kind) ? 'critical' : FINE.includes(about.kind) ? 'none' : 'warning'
  return { printer: null, finding: null, since: null, ...about, severity }
}

type Found = Pick<KitchenCondition, 'kind'> & Partial<KitchenCondition>

function found(facts: KitchenFacts): Found {
  const { presence, lastSeenAt, pairedAt, simulated } = facts
  if (presence === 'offline' && lastSeenAt !== null) return { kind: 'silent', since: lastSeenAt }
  if (presence === 'offline') return { kind: simulated ? 'silent' : 'never-seen', since: pairedAt }
  if (presence === 'unknown')
    return { kind: lastSeenAt === null ? 'never-seen' : 'unknown', since: lastSeenAt ?? pairedAt }
  return wrongPrinter(facts) ?? wrongBox(facts) ?? { kind: simulated ? 'simulated' : 'fine' }
}

function wrongPrinter({ printers, health, simulated }: KitchenFacts): Found | null {
  const away = printers.filter(({ state }) => state === 'offline')
  const alone = away.find(({ standIn }) => standIn === null)
  if (alone) return { kind: 'printer-away', printer: alone.name }
  const refused = printers.find(({ proposal }) => proposal?.state === 'refused')
  // The box reports it too, in other words: these are plainer. If it refused the proposed printer, that is the reason.
  if (!simulated && !printers.some(({ printerId }) => printerId !== null))
    return refused ? { kind: 'printer-refused', printer: refused.name } : { kind: 'no-printer' }
  if (health !== null && health.critical > 0)
    return { kind: 'box-critical', finding: health.worst, since: health.since }
  const [helped] = away
  if (helped) return { kind: 'printer-stands-in', printer: helped.name }
  return refused ? { kind: 'printer-refused', printer: refused.name } : null
}

function wrongBox({ printers, clockSkewMs, health }: KitchenFacts): Found | null {
  if (Math.abs(clockSkewMs ?? 0) > CLOCK_OFF_MS) return { kind: 'clock-off' }
  if (health !== null && health.warning > 0) return { kind: 'box-warning', finding: health.worst, since: health.since }
  const low = printers.find(({ reasons }) => reasons.length > 0)
  return low ? { kind: 'printer-attention', printer: low.name } : null
}

/** Worst first; among equals the one that has been so for longest. */
export function worstFirst(a: KitchenCondition, b: KitchenCondition): number {
  return KITCHEN_KINDS.indexOf(a.kind) - KITCHEN_KINDS.indexOf(b.kind) || (a.since ?? '9').localeCompare(b.since ?? '9')
}
