// The few Star byte strings that the transport itself writes: initialisation, status questions, end of printing. Tickets are made elsewhere.
import type { PrinterProfile } from '#shared/printer-profile.ts'

/** ESC ACK SOH: the status block, at once, also while offline. */
export const STATUS_QUERY = bytes(0x1b, 0x06, 0x01)
/** ETB: waits until all before it is printed, counts one up, pushes the status. */
export const ETB = bytes(0x17)
/** ESC RS a: status is pushed at each change; off again afterwards, for other programs that share the printer. */
export const PUSH_ON = bytes(0x1b, 0x1e, 0x61, 0x01)
export const PUSH_OFF = bytes(0x1b, 0x1e, 0x61, 0x00)
/** ESC @: styles back to their start. Neither the counter nor the pushing of the status changes. */
export const INITIALISE = bytes(0x1b, 0x40)
/** ESC * r B: ends raster mode, in which everything else would be taken for rows of dots. Outside of it, nothing happens. */
export const LEAVE_RASTER = bytes(0x1b, 0x2a, 0x72, 0x42)
/** What is asked of port 9101: '0' and 50 NUL; the answer is one status block. */
export const STATUS_PORT_QUERY: Uint8Array = Buffer.concat([bytes(0x30), Buffer.alloc(50)])

/** Rows of one raster command that a broken connection may have left hungry, and the rest of its parameters. */
const PARAMETER_BYTES = 16

/** ESC GS ETX 1: waits until all before it is printed and comes back with the same id, to the asking connection only. StarPRNT. */
export function printEndQuery(id: number): Uint8Array {
  return bytes(0x1b, 0x1d, 0x03, 0x01, id & 0xff, (id >> 8) & 0xff)
}

/** What stands before each ticket. ESC @ is no command of raster mode models. */
export function starPreamble(profile: PrinterProfile, push: boolean): Uint8Array {
  return Buffer.concat([profile.language === 'star-raster' ? bytes() : INITIALISE, push ? PUSH_ON : bytes()])
}

/** NUL for what a picture command that was cut off may still wait for; a printer at rest ignores NUL. */
export function starPadding(profile: PrinterProfile): Uint8Array {
  return Buffer.alloc(PARAMETER_BYTES + profile.maxBandRows * Math.ceil(profile.dots / 8))
}

/**
 * Closes a ticket that a broken connection may have left half-printed. A raster-only model cannot print words: it gets the cut.
 */
export function closeStarIncomplete(profile: PrinterProfile): Uint8Array {
  const head = Buffer.concat([starPadding(profile), LEAVE_RASTER])
  if (profile.language === 'star-raster') {
    // ESC * r A, ESC FF NUL: form feed and cut of an empty page; ESC * r B.
    return Buffer.concat([head, bytes(0x1b, 0x2a, 0x72, 0x41, 0x1b, 0x0c, 0x00), LEAVE_RASTER])
  }
  const words = Buffer.from('\n** INCOMPLETE ABOVE **\n', 'latin1')
  // ESC d 3: feed to the cutter, partial cut. Without a cutter: ESC a 6, six lines.
  const cut = profile.cut === 'none' ? bytes(0x1b, 0x61, 0x06) : bytes(0x1b, 0x64, 0x03)
  return Buffer.concat([head, INITIALISE, words, cut])
}

function bytes(...values: number[]): Uint8Array {
  return Uint8Array.from(values)
}
