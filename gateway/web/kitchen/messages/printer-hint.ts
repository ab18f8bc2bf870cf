// The problem of a printer and what to do, in the display's language.
import type { BoardPrinter } from '#shared/wire/kitchen.ts'
import type { Messages } from './en.ts'
import { fill } from './words.tsx'

/** A reason that this page does not have is shown in the gateway's words: the page may be older than the gateway. */
export function printerHint({ reason, hint }: Pick<BoardPrinter, 'reason' | 'hint'>, m: Messages): string {
  return m.printerHints[reason] ?? (hint || m.printerOff)
}

/** The sentence in the bar: the printer, its problem, what to do, and which other printer prints its tickets meanwhile. */
export function printerSentence(printer: Omit<BoardPrinter, 'printerId' | 'stations' | 'state'>, m: Messages): string {
  const { name, reason, backup } = printer
  const values = { name, hint: printerHint(printer, m) }
  // The gateway's text mentions the backup itself.
  const isOwn = m.printerHints[reason] !== undefined
  return isOwn && backup !== undefined ? fill(m.printerAway, { ...values, backup }) : fill(m.printerFault, values)
}
