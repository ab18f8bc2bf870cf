// How reliable a printer's "printed" is, in words for the page, the command line and the technician's test ticket. Pure.
import type { ConfirmMethod } from '#shared/print-job.ts'
import type { PrinterCapability } from '#shared/printer-profile.ts'
import { bestMethod } from './confirm-ladder.ts'

export interface ConfirmLevel {
  level: 'L3' | 'L2' | 'L1' | 'L0'
  method: ConfirmMethod
  /** What "printed" means on this printer. */
  words: string
}

const OWN_ID = 'Confirmed by id: after printing, the printer sends back the number of this very ticket.'
const IN_ORDER = 'Confirmed by answer: the printer answers a question that stands behind the cut of the ticket.'
const STATUS_ONLY =
  'Assumed: the printer tells its state (paper, cover, errors) but not that a ticket is done. “Printed” means: no trouble before or after it, and enough time has passed.'
const TALKS =
  'The printer sends bytes unasked (a keep-alive, perhaps of a serial converter), which cannot be told from its answers: without them it could confirm its tickets.'
const NOTHING =
  'Assumed, not verified: the printer answers nothing. “Printed” means: it took all bytes and closed the connection. Look at the paper when in doubt.'

const LEVELS: Readonly<Record<ConfirmMethod, Omit<ConfirmLevel, 'method'>>> = {
  'gs-paren-h': { level: 'L3', words: OWN_ID },
  'star-etb': { level: 'L3', words: 'Confirmed by count: the printer counts each ticket when its printing has ended.' },
  'gs-i': { level: 'L2', words: IN_ORDER },
  'gs-r': { level: 'L2', words: IN_ORDER },
  'dle-eot': { level: 'L1', words: STATUS_ONLY },
  // Only for one ticket, never stored for a printer.
  person: { level: 'L1', words: 'Somebody looked at the paper and said that it is there.' },
  none: { level: 'L0', words: NOTHING },
}

/** The level that a printer with this capability reaches. Null: it has never answered anything. */
export function confirmLevelOf(capability: PrinterCapability | null): ConfirmLevel {
  const method = bestMethod(capability)
  const { level, words } = LEVELS[method]
  return { level, words: capability?.talks ? `${words} ${TALKS}` : words, method }
}
