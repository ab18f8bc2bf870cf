// What is wrong with a printer and what to do, in the screen's language.
import type { BoardPrinter } from '#shared/wire/kitchen.ts'
import type { Messages } from './en.ts'
import { fill } from './words.tsx'

/** A reason that this page does not know is said as the box says it: an older page beside a newer box. */
export function printerHint({ reason, hint }: Pick<BoardPrinter, 'reason' | 'hint'>, m: Messages): string {
  return m.printerHints[reason] ?? (hint || m.printerOff)
}

/** The sentence of the bar: which printer, what is wrong, what to do, and which other one prints its tickets meanwhile. */
export function printerSentence(printer: Omit<BoardPrinter, 'printerId' | 'stations' | 'state'>, m: Messages): string {
  const { name, reason, backup } = printer
  const values = { name, hint: printerHint(printer, m) }
  // The words of the box say of the backup themselves.
  const isOwn = m.printerHints[reason] !== undefined
  return isOwn && backup !== undefined ? fill(m.printerAway, { ...values, backup }) : fill(m.printerFault, values)
}
