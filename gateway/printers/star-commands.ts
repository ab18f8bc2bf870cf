// The few Star commands that the transport itself writes: initialization, status queries, end of printing. Tickets are created elsewhere.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { cutBytes } from '#shared/tickets/document-frame.ts'
import { incompleteMarkRows } from './star-incomplete-mark.ts'

/** ESC ACK SOH: the status block, at once, also while offline. */
export const STATUS_QUERY = bytes(0x1b, 0x06, 0x01)
/** ETB: waits until everything before it is printed, increments the counter, pushes the status. */
export const ETB = bytes(0x17)
/** ESC RS a: status is pushed at each change; off again afterwards, for other programs that share the printer. */
export const PUSH_ON = bytes(0x1b, 0x1e, 0x61, 0x01)
export const PUSH_OFF = bytes(0x1b, 0x1e, 0x61, 0x00)
/** ESC @: resets styles. Neither the counter nor the pushing of the status changes. */
export const INITIALISE = bytes(0x1b, 0x40)
/** ESC * r B: ends raster mode, in which everything else would be read as rows of dots. No effect outside of it. */
export const LEAVE_RASTER = bytes(0x1b, 0x2a, 0x72, 0x42)
/** ESC * r A, and ESC * r P 0 NUL: a page is as long as what is drawn. */
const ENTER_RASTER = bytes(0x1b, 0x2a, 0x72, 0x41, 0x1b, 0x2a, 0x72, 0x50, 0x30, 0x00)
const WORDS = Buffer.from('\n** INCOMPLETE ABOVE **\n', 'latin1')
/** Query at port 9101: '0' and 50 NUL; the answer is one status block. */
export const STATUS_PORT_QUERY: Uint8Array = Buffer.concat([bytes(0x30), Buffer.alloc(50)])

/** Bytes that complete one raster command after a broken connection, and the rest of its parameters. */
const PARAMETER_BYTES = 16

/** ESC GS ETX 1: waits until everything before it is printed and returns the same id, only to this connection. StarPRNT. */
export function printEndQuery(id: number): Uint8Array {
  return bytes(0x1b, 0x1d, 0x03, 0x01, id & 0xff, (id >> 8) & 0xff)
}

/** The bytes before each ticket. Raster mode models do not have ESC @. */
export function starPreamble(profile: PrinterProfile, push: boolean): Uint8Array {
  return Buffer.concat([profile.language === 'star-raster' ? bytes() : INITIALISE, push ? PUSH_ON : bytes()])
}

/** NUL for what a picture command that was cut off may still wait for; an idle printer ignores NUL. */
export function starPadding(profile: PrinterProfile): Uint8Array {
  return Buffer.alloc(PARAMETER_BYTES + profile.maxBandRows * Math.ceil(profile.dots / 8))
}

/** Closes a ticket that a broken connection may have left half-printed, so that it never merges with the next one. */
export function closeStarIncomplete(profile: PrinterProfile): Uint8Array {
  const head = Buffer.concat([starPadding(profile), LEAVE_RASTER])
  const mark = profile.language === 'star-raster' ? [ENTER_RASTER, ...markRows()] : [INITIALISE, WORDS]
  return Buffer.concat([head, ...mark, cutBytes(profile)])
}

/** `b nL nH data` for each row of the drawn words. */
function markRows(): Uint8Array[] {
  return incompleteMarkRows().map((row) => Buffer.concat([bytes(0x62, row.length, 0), row]))
}

function bytes(...values: number[]): Uint8Array {
  return Uint8Array.from(values)
}
