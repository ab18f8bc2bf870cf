// The meaning of status bytes, in IPP's terms, and what a person should do about it.
import { IN_PLACE, WAITING } from '#shared/away-hint.ts'
import type { PrinterReason } from '#shared/print-job.ts'

/** The printer's own status. `reasons` is worst first and empty when there is no fault. */
export interface PrinterCondition {
  /** True if it cannot print now. */
  blocked: boolean
  reasons: readonly PrinterReason[]
  /** True if the paper sensors were queried, so that a missing "media-low" means something. */
  paperKnown: boolean
}

/** For a printer that answered without its state. */
export const FINE: PrinterCondition = { blocked: false, reasons: [], paperKnown: false }

/** Automatic status back (GS a): which bits of the four bytes mean what. */
export function conditionOfAsb([printer, error, paper]: readonly [number, number, number, number]): PrinterCondition {
  return condition({
    offline: has(printer, 0x08),
    coverOpen: has(printer, 0x20),
    cutter: has(error, 0x08),
    unrecoverable: has(error, 0x20),
    recoverable: has(error, 0x44),
    paperEnd: has(paper, 0x0c),
    paperLow: has(paper, 0x03),
    paperKnown: true,
  })
}

/**
 * Answers to DLE EOT n, by n. Some printers answer with the status of the previous query: then a fault bit is under a
 * wrong n, so any fault pattern under any n counts as blocked, and "no fault" needs all of them without one.
 */
export function conditionOfRealTime(answers: ReadonlyMap<number, number>): PrinterCondition {
  const printer = answers.get(1) ?? 0
  const cause = answers.get(2) ?? 0
  const error = answers.get(3) ?? 0
  const paper = answers.get(4) ?? 0
  return condition({
    // n=1: bit 3 offline, bit 5 waits for recovery. n=2: bit 3 fed by button, bit 6 error.
    offline: has(printer, 0x28) || has(cause, 0x48),
    coverOpen: has(cause, 0x04),
    cutter: has(error, 0x08),
    unrecoverable: has(error, 0x20),
    recoverable: has(error, 0x44),
    paperEnd: has(cause, 0x20) || has(paper, 0x60),
    paperLow: has(paper, 0x0c),
    paperKnown: answers.has(4),
  })
}

interface Bits {
  offline: boolean
  coverOpen: boolean
  cutter: boolean
  unrecoverable: boolean
  recoverable: boolean
  paperEnd: boolean
  paperLow: boolean
  paperKnown: boolean
}

function condition(bits: Bits): PrinterCondition {
  const reasons: PrinterReason[] = []
  // The open cover comes first: the paper sensor often reports "end" with it.
  if (bits.coverOpen) reasons.push('cover-open')
  if (bits.paperEnd) reasons.push('media-empty')
  if (bits.cutter) reasons.push('cutter-error')
  if (bits.unrecoverable) reasons.push('unrecoverable-error')
  if (bits.recoverable && !bits.coverOpen) reasons.push('recoverable-error')
  if (bits.offline && reasons.length === 0) reasons.push('offline')
  const blocked = reasons.length > 0
  if (bits.paperLow && !bits.paperEnd) reasons.push('media-low')
  return { blocked, reasons, paperKnown: bits.paperKnown }
}

function has(byte: number, bits: number): boolean {
  return (byte & bits) !== 0
}

/** For people, in this order: what it means, what to do, what happens to the tickets. */
type Words = readonly [means: string, toDo: string, tickets: string]

const WORDS: Readonly<Record<PrinterReason, Words>> = {
  none: ['The printer is ready.', '', ''],
  'connecting-to-device': [
    'Nothing answers at the printer’s address.',
    'Check that it is on, that its network cable is in, and that the address is right (its self test prints it).',
    WAITING,
  ],
  'timed-out': [
    'The printer’s address does not answer.',
    'Check power, network cable and switch; a printer that got another address must be found again.',
    WAITING,
  ],
  shutdown: ['The gateway is stopping.', '', 'Tickets wait and print when it is back.'],
  busy: [
    'Another program holds the printer’s connection.',
    'Close it there, or switch the printer off and on.',
    WAITING,
  ],
  'media-empty': ['Paper is out.', 'Load a roll and close the cover.', IN_PLACE],
  'media-low': ['Paper is nearly out.', 'Have a new roll ready.', 'Tickets still print.'],
  'cover-open': ['The cover is open.', 'Close it.', IN_PLACE],
  'cutter-error': [
    'The paper cutter is jammed.',
    'Open the cover, remove the stuck paper and close it; if the knife still sticks, switch off, free it, and switch on.',
    `${IN_PLACE} After switching off, it is printed again, marked as a possible duplicate.`,
  ],
  'recoverable-error': [
    'The printer reports an error that it can recover from, such as a hot print head.',
    'Wait a minute; if it stays, open and close the cover.',
    IN_PLACE,
  ],
  'unrecoverable-error': [
    'The printer reports a fault that it cannot recover from.',
    'Switch it off and on; if it stays, call service.',
    'Tickets wait, or print on the backup printer if there is one. What was being printed is printed again, marked as a possible duplicate.',
  ],
  offline: [
    'The printer says that it is offline and gives no cause.',
    'Look at its display or lamps, and press its feed button once.',
    IN_PLACE,
  ],
  'another-printer': [
    'Another printer seems to stand at this address: it does not answer as the one that was set up.',
    'If the printer was replaced, accept the new one. If not, look which device has its address, or whether it hangs: switch it off and on.',
    'Tickets wait, or print on the backup printer if there is one, until somebody has said so or the known one answers again.',
  ],
  'not-responding': [
    'The printer is connected but does not answer.',
    'Another program may hold it, or it hangs: switch it off and on.',
    WAITING,
  ],
}

/** For people: the meaning of the reason, what to do, and what happens to the tickets. */
export function hintFor(reason: PrinterReason): string {
  return WORDS[reason].filter((words) => words !== '').join(' ')
}
