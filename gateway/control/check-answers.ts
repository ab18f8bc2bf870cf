// The results of the last check of a kitchen: each printer, station and screen proved, or what is wrong with it.
import type { SaidValue } from '#shared/health.ts'
import type { FindingAnswer } from './health-answers.ts'

/**
 * `proved`: seen on paper or on the screen. `asks`: it printed, and a person has to read its number. `waits`: on its way.
 * `silent`: it should have printed or shown it, and cannot. `nothing`: as it is set up, it gets nothing. `wrong`: another one's paper came out.
 */
export type CheckState = 'proved' | 'asks' | 'waits' | 'silent' | 'nothing' | 'wrong'

/** The key of the sentence with the reason. */
export type CheckWhy =
  // Of printers.
  | 'printed'
  | 'number-right'
  | 'type-number'
  | 'on-its-way'
  | 'not-sent'
  | 'paused'
  | 'offline'
  | 'failed'
  | 'moved'
  | 'swapped'
  | 'no-work'
  | 'passed-over'
  // Of stations.
  | 'everywhere'
  | 'no-printer-at-all'
  | 'no-place'
  | 'no-printer'
  | 'no-screen'
  | 'like'
  | 'printer-silent'
  | 'printer-open'
  | 'at-backup'
  | 'no-line'
  | 'screen-silent'
  | 'screen-open'
  | 'not-tried'
  // Of screens.
  | 'shown'
  | 'not-shown'
  | 'screen-off'
  | 'not-signed-in'
  | 'no-overlap'
  | 'board-drawn'
  | 'board-not-drawn'
  // Of rules.
  | 'rule-gone'
  | 'rule-part-gone'
  | 'rule-never'

/** A further note: `backup-took`: its backup has its tickets; `nobody-takes`: no backup prints; `circle`: backups of each other. */
export type CheckNote = 'backup-took' | 'nobody-takes' | 'circle' | 'only-by-rules' | 'only-backup'

export type CheckValues = Record<string, SaidValue>

export interface CheckLine {
  kind: 'printer' | 'station' | 'screen' | 'rule'
  /** Of the printer or screen; the name of a station or rule in lower case; empty: what has no station. */
  id: string
  /** Empty: what has no station. */
  name: string
  state: CheckState
  why: CheckWhy
  /** For the sentence: names of others, such as `printer`, or lists of them. */
  values: CheckValues
  notes: { key: CheckNote; values: CheckValues }[]
  /** The person who excluded it from the check; null: not excluded. */
  leftOutBy: string | null
}

/** The current findings of Health, without advice. */
export interface CheckFinding {
  finding: FindingAnswer
  /** The person who excluded this finding, or its subject; null: not excluded. */
  leftOutBy: string | null
}

export interface CheckAnswer {
  lines: CheckLine[]
  /** Faults and warnings of Health as of now, the worst first. */
  health: CheckFinding[]
  /** Each line is proved and Health has neither fault nor warning; a person may have left some out. */
  isGreen: boolean
}
