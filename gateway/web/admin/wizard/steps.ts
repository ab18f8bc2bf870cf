// The steps of the guide, and which of them are done: by the box's data, not by ticks of a person. Pure.
import type { DisplayAnswer, PrinterAnswer } from '#gateway/control/answers.ts'
import type { StationsAnswer } from '#gateway/control/station-answers.ts'

export const STEPS = [
  ...(['name', 'clock', 'pairing', 'printers', 'identify', 'displays', 'stations', 'backups', 'check'] as const),
] as const
export type Step = (typeof STEPS)[number]

export type StepMark = 'done' | 'skipped' | 'open'

export interface StepFacts {
  settings: { name: string; timeZone: string; relayTimeZone: string | null } | undefined
  linkState: string
  printers: readonly Pick<PrinterAnswer, 'testedAt' | 'settings'>[]
  displays: readonly Pick<DisplayAnswer, 'signedInAt'>[]
  stations: Pick<StationsAnswer, 'stations' | 'printers'> | undefined
  /** Steps that a person has gone on from. `check` among them: everything was green once. */
  passed: readonly string[]
  /** Whether the open test order is green now; null: none is open. */
  isGreen: boolean | null
  /** Faults and warnings of Health as of now. */
  troubles: number
}

export function stepMarks(facts: StepFacts): Record<Step, StepMark> {
  const isDone = doneOf(facts)
  const mark = (step: Step): StepMark => {
    if (isDone[step]) return 'done'
    // The last step cannot be skipped: a check that was green once and is not now is open.
    return facts.passed.includes(step) && step !== 'check' ? 'skipped' : 'open'
  }
  return Object.fromEntries(STEPS.map((step) => [step, mark(step)])) as Record<Step, StepMark>
}

function doneOf(facts: StepFacts): Record<Step, boolean> {
  const { settings, linkState, printers, displays, stations, passed, isGreen, troubles } = facts
  const hasStations = stations !== undefined && stations.stations.length > 0
  return {
    name: (settings?.name ?? '') !== '',
    clock: settings !== undefined && (settings.timeZone !== '' || settings.relayTimeZone !== null),
    pairing: linkState !== 'unpaired',
    printers: printers.length > 0,
    identify: printers.length > 0 && printers.every(({ testedAt }) => testedAt !== null),
    displays: displays.some(({ signedInAt }) => signedInAt !== null),
    stations:
      hasStations &&
      stations.stations.every(({ faults, like }) => faults.length === 0 && like === null) &&
      stations.printers.every(({ work }) => work !== 'nothing' && work !== 'passed-over'),
    backups: printers.length > 1 && printers.every((printer) => printer.settings.backupPrinterId !== null),
    check: isGreen ?? (passed.includes('check') && troubles === 0),
  }
}
