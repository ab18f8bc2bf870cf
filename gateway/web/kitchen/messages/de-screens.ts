// German texts of the runner's display, the guests' board and the drawers.
import type { enScreens } from './en-screens.ts'

export const deScreens: typeof enScreens = {
  preparing: 'In Arbeit',
  pickUpReady: 'Abholbereit',
  pickUpStale: 'Stand von {time}. Bitte an der Theke fragen.',
  nothingReady: 'Noch nichts fertig',
  runnerStale: 'Keine Verbindung seit {time}. Was seitdem fertig ist, steht nicht hier: am Pass nachsehen.',
  moreToCome: 'Gang {n} auf Abruf',
  readyToCarry: 'bereit',
  carried: 'Serviert',
  combine: 'Bündeln',
  combineNext: 'Nächste {n} Bons',
  combineNone: 'Keine offenen Bons',
  onTickets: 'auf {n} Bons',
  onOne: 'nur auf einem Bon',
  noStation: 'Ohne Posten',
  lateOf: '{n} zu spät',
  lastActs: 'Hier zuletzt getippt',
  readyAndPickedUp: 'Fertig und abgeholt',
}
