// What is wrong with a printer and what to do, in the screen's language.
import type { BoardPrinter } from '#shared/wire/kitchen.ts'
import type { Messages } from './en.ts'

/** A reason that this page does not know is said as the box says it: an older page beside a newer box. */
export function printerHint({ reason, hint }: Pick<BoardPrinter, 'reason' | 'hint'>, m: Messages): string {
  return m.printerHints[reason] ?? (hint || m.printerOff)
}
