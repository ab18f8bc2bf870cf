// The few ESC/POS commands that the transport itself writes: initialization, status queries, recovery. Tickets are created elsewhere.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { cutBytes } from '#shared/tickets/document-frame.ts'

/** ESC @: initialize. Clears the line buffer, switches ASB off. */
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
/** GS I 68: serial number, a block of text; answered in order. */
export const SERIAL_QUERY = bytes(0x1d, 0x49, 0x44)
/** GS r 1: paper sensor, a single byte; answered in order. 01 and not '1': a printer that ignores it then prints nothing. */
export const PAPER_QUERY = bytes(0x1d, 0x72, 0x01)
/** DLE ENQ 1: continue from the line where a recoverable error stopped. DLE ENQ 2: drop the buffers instead. */
export const RECOVER_AND_GO_ON = bytes(0x10, 0x05, 0x01)
export const RECOVER_AND_CLEAR = bytes(0x10, 0x05, 0x02)

/** DLE DC4 8: discard what was received and not printed. Nothing may be sent before its answer, 37 25 00. */
export const CLEAR_BUFFERS = bytes(0x10, 0x14, 0x08, 0x01, 0x03, 0x14, 0x01, 0x06, 0x02, 0x08)

/**
 * Completes a command that a broken connection left waiting for its parameters; an idle printer ignores NUL. It must be the first thing on
 * the next connection: an incomplete `GS (` would take even a DLE EOT as a length, of up to 4 KB, and swallow the next ticket.
 */
export const PARAMETER_PADDING: Uint8Array = Buffer.alloc(16)

/**
 * The same for a picture that was cut off: its rest prints white. Not sent before the printer reports that it is not stopped, because a
 * stopped one would store it, and its buffer may have only 4 KB.
 */
export function picturePadding({ image, dots, maxBandRows }: PrinterProfile): Uint8Array {
  const bandBytes = image === 'none' ? 0 : maxBandRows * Math.ceil(dots / 8)
  return Buffer.alloc(PARAMETER_PADDING.length + bandBytes)
}

/** Closes a ticket that a broken connection may have left half-printed, so that it never merges with the next one. */
export function closeIncomplete(profile: PrinterProfile): Uint8Array {
  return Buffer.concat([
    picturePadding(profile),
    INITIALISE,
    profile.cancelKanji ? CANCEL_KANJI : bytes(),
    Buffer.from('\n** INCOMPLETE ABOVE **\n', 'latin1'),
    cutBytes(profile),
  ])
}

/** The bytes before each ticket. ESC @ only here: later it would switch ASB off and reset the code page. */
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
