// The health of a box as data: findings with their severity, start, cost, and the one action that fixes each.
import type { EpochMs } from './clock.ts'

/**
 * `critical`: orders are lost, unseen or late now. `warning`: they will be, or paper is wrong. `advice`: the box would be safer with it.
 */
export const SEVERITIES = ['critical', 'warning', 'advice'] as const
export type Severity = (typeof SEVERITIES)[number]

/** The values in a sentence. A list of names is joined in the way of the reader's language. */
export type SaidValue = string | number | readonly string[]

export type FindingValues = Record<string, SaidValue>

/** What a finding is about; names are typed by people. */
export interface FindingSubject {
  kind: 'box' | 'relay' | 'printer' | 'display' | 'station' | 'ticket'
  /** Empty for the box and the relay. */
  id: string
  name: string
}

/** What it costs while it lasts, as a sentence of the catalogues (`costs`) and its number. */
export interface FindingCost {
  key: string
  /** Orders, tickets, lines or results; 0 where the sentence counts nothing. */
  count: number
  values: FindingValues
}

/** What mends it by one tap. */
export interface DoAct {
  kind: 'do'
  /** The key of the button's text in the catalogues (`acts`). */
  key: string
  values: FindingValues
  operation: string
  input: Record<string, unknown>
  /** The page puts the time zone of its browser into the input. */
  fill?: 'time-zone'
}

/** Where a person decides. */
export interface LinkAct {
  kind: 'open'
  key: string
  values: FindingValues
  /** A page of the box, such as `/settings`. */
  to: string
}

export type FindingAct = DoAct | LinkAct

export interface Finding {
  /** Stable while it lasts, such as `printer-down:grill`. */
  id: string
  /** The key of the sentence in the catalogues (`sentences`). */
  key: string
  severity: Severity
  subject: FindingSubject
  /** For the sentence. */
  values: FindingValues
  /** On the wall clock of the box; null: as long as it is known. */
  sinceMs: EpochMs | null
  cost: FindingCost | null
  act: FindingAct | null
}

/** A part of the box that has not reported in time. */
export interface UnheardPart {
  part: 'printer' | 'display' | 'board' | 'disk' | 'clock' | 'relay'
  name: string
}

/** `well` only when nothing is wrong and each part has reported in time. */
export type Verdict = 'well' | 'unheard' | 'warning' | 'critical'

/** @param unheard what has not reported in time */
export function verdictOf(findings: readonly Pick<Finding, 'severity'>[], unheard: readonly UnheardPart[]): Verdict {
  if (findings.some(({ severity }) => severity === 'critical')) return 'critical'
  if (findings.some(({ severity }) => severity === 'warning')) return 'warning'
  return unheard.length > 0 ? 'unheard' : 'well'
}

/** The detail of a link whose relay answered `wait`, because many boxes reconnect at once. */
export const WAITS_FOR_RELAY = 'the relay is there and takes this box in a moment: many come at once'

/** Which finding a missing connection to the relay is, by its detail: mostly the code of the system's error, which is all that it holds then. */
export function lossKey(
  detail: string,
): 'relay-name' | 'relay-no-way' | 'relay-closed' | 'relay-busy' | 'relay-unreachable' {
  switch (detail) {
    case WAITS_FOR_RELAY:
      return 'relay-busy'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'relay-name'
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
      return 'relay-no-way'
    case 'ECONNREFUSED':
      return 'relay-closed'
    default:
      return 'relay-unreachable'
  }
}
