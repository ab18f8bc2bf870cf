// The few ESC/POS byte strings that the transport itself writes: initialisation, status questions, recovery. Tickets are made elsewhere.
import type { PrinterProfile } from '#shared/printer-profile.ts'

/** ESC @: initialise. Clears the line buffer, switches ASB off. */
export const INITIALISE = bytes(0x1b, 0x40)
/** FS .: leave Kanji mode, in which clones start and print accents as Chinese. */
export const CANCEL_KANJI = bytes(0x1c, 0x2e)
/** GS a: push the 4-byte status at once and at each change of online, error and paper. */
export const ASB_ON = bytes(0x1d, 0x61, 0x0e)
export const ASB_OFF = bytes(0x1d, 0x61, 0x00)
/** GS I 66: maker's name, a block of text; answered in order. */
export const MAKER_QUERY = bytes(0x1d, 0x49, 0x42)
/** GS I 67: model name, a block of text; answered in order. */
export const MODEL_QUERY = bytes(0x1d, 0x49, 0x43)
/** GS r 1: paper sensor, one bare byte; answered in order. 01 and not '1': a printer that ignores it then prints nothing. */
export const PAPER_QUERY = bytes(0x1d, 0x72, 0x01)
/** DLE ENQ 1: go on from the line where a recoverable error stopped. DLE ENQ 2: drop the buffers instead. */
export const RECOVER_AND_GO_ON = bytes(0x10, 0x05, 0x01)
export const RECOVER_AND_CLEAR = bytes(0x10, 0x05, 0x02)

const CUTS: Readonly<Record<PrinterProfile['cut'], readonly number[]>> = {
  // GS V 66 0: feeds to the cutter by itself. The others cut where the paper stands, so six lines are fed before.
  'gs-v-66': [0x1d, 0x56, 0x42, 0x00],
  'gs-v-1': [0x1b, 0x64, 0x06, 0x1d, 0x56, 0x01],
  'esc-m': [0x1b, 0x64, 0x06, 0x1b, 0x6d],
  none: [0x1b, 0x64, 0x06],
  'esc-d': [0x1b, 0x64, 0x03],
  'star-raster': [0x1b, 0x0c, 0x00],
}

/**
 * Feeds a command that a broken connection left waiting for its parameters; a printer at rest ignores NUL. It must be the first
 * thing on the next connection: a hungry `GS (` would take even a DLE EOT for a length, of up to 4 KB, and swallow the next ticket.
 * 16 suffice because we send no raster.
 */
export const PADDING: Uint8Array = Buffer.alloc(16)

/**
 * Closes a ticket that a broken connection may have left half-printed, so that it never merges with the next one. */
export function closeIncomplete(profile: PrinterProfile): Uint8Array {
  return Buffer.concat([
    PADDING,
    INITIALISE,
    profile.cancelKanji ? CANCEL_KANJI : bytes(),
    Buffer.from('\n** INCOMPLETE ABOVE **\n', 'latin1'),
    bytes(...CUTS[profile.cut]),
  ])
}

/** What stands before each ticket. ESC @ only here: later it would switch ASB off and drop the code page. */
export function preamble(profile: PrinterProfile, asb: boolean): Uint8Array {
  return Buffer.concat([INITIALISE, profile.cancelKanji ? CANCEL_KANJI : bytes(), asb ? ASB_ON : bytes()])
}

/** DLE EOT n for each n: 1 printer, 2 cause of offline, 3 cause of error, 4 paper. Answered on arrival, one byte each. */
export function realTimeQuery(ns: readonly number[]): Uint8Array {
  return Uint8Array.from(ns.flatMap((n) => [0x10, 0x04, n]))
}

/** GS ( H fn 48: answered with the same id when everything before it is printed. `id`: four characters in 20..7E. */
export function processIdQuery(id: string): Uint8Array {
  return Buffer.concat([bytes(0x1d, 0x28, 0x48, 0x06, 0x00, 0x30, 0x30), Buffer.from(id, 'latin1')])
}

function bytes(...values: number[]): Uint8Array {
  return Uint8Array.from(values)
}
