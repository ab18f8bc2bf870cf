// What the table and the cards of stations are drawn from, and what a tick in them does.
import type { StationAnswer, StationsAnswer } from '#gateway/control/station-answers.ts'

/** What the cells need: the facts, and what a tick does. */
export interface StationBoard {
  all: StationsAnswer
  stations: readonly StationAnswer[]
  /** True: a person added it by its name, and no printer and no screen has it yet. */
  isNew: (station: StationAnswer) => boolean
  /** Takes away one that is new. */
  forget: (station: StationAnswer) => void
  /** False for a manager, who may only read. */
  canChange: boolean
  print: (station: StationAnswer, printerId: string, isOn: boolean) => void
  show: (station: StationAnswer, displayId: string, isOn: boolean) => void
  takeRest: (printerId: string) => void
  showAll: (displayId: string, isOn: boolean) => void
  rename: (station: string, name: string) => void
}
