// What the table and the cards of stations are drawn from, and what a tick in them does.
import type { StationAnswer, StationsAnswer } from '#gateway/control/station-answers.ts'

/** What the cells need: the facts, and what a tick does. */
export interface StationBoard {
  all: StationsAnswer
  /** Those of the box, then those that somebody has typed in here. */
  stations: readonly StationAnswer[]
  isNew: (station: StationAnswer) => boolean
  /** False for a manager, who may look. */
  canChange: boolean
  print: (station: StationAnswer, printerId: string, isOn: boolean) => void
  show: (station: StationAnswer, displayId: string, isOn: boolean) => void
  takeRest: (printerId: string) => void
  showAll: (displayId: string, isOn: boolean) => void
  rename: (station: string, name: string) => void
}
