// Selects the query that proves that a ticket is on paper: the best one that this printer is known to answer. Pure.
import type { ConfirmMethod } from '#shared/print-job.ts'
import type { PrinterCapability, PrinterProfile } from '#shared/printer-profile.ts'
import { MODEL_QUERY, PAPER_QUERY, processIdQuery } from './escpos-commands.ts'
import { paperCountOf } from './paper-count.ts'
import type { TransportTimeouts } from './timeouts.ts'
import type { PrintDocument } from './transport.ts'

/** L3 and L2 are in-order answers after the cut, L1 is real-time status, L0 only the closed connection. */
export function bestMethod(capability: PrinterCapability | null): ConfirmMethod {
  if (capability?.starPrintEnd || capability?.starEtb) return 'star-etb'
  if (capability?.gsParenH) return 'gs-paren-h'
  if (capability?.gsI) return 'gs-i'
  if (capability?.gsR) return 'gs-r'
  return capability?.dleEot || capability?.starStatus ? 'dle-eot' : 'none'
}

/** True if the method proves a ticket; the other levels are only assumed. */
export function isProof(method: ConfirmMethod): boolean {
  return method !== 'dle-eot' && method !== 'none'
}

/** The query that follows the cut; empty for the assumed levels. */
export function confirmQuery(method: ConfirmMethod, processId: string): Uint8Array {
  switch (method) {
    case 'gs-paren-h':
      return processIdQuery(processId)
    case 'gs-i':
      return MODEL_QUERY
    case 'gs-r':
      return Buffer.concat(Array<Uint8Array>(paperCountOf(processId)).fill(PAPER_QUERY))
    case 'star-etb':
    case 'person':
    case 'dle-eot':
    case 'none':
      return new Uint8Array()
  }
}

/** Four characters in 20..7E from an attempt's id, as the process id of GS ( H. FNV-1a, 95^4 = 81 million values. */
export function processIdOf(attemptId: string): string {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(attemptId)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  let id = ''
  for (let i = 0; i < 4; i++) {
    id += String.fromCharCode(0x20 + (hash % 95))
    hash = Math.floor(hash / 95)
  }
  return id
}

/** Time that the mechanism needs for a document, in milliseconds. */
export function estimateMs(document: PrintDocument, profile: PrinterProfile, timeouts: TransportTimeouts): number {
  const { speed } = profile
  const seconds =
    'mmPerSec' in speed ? document.heightMm / speed.mmPerSec : document.lines / Math.max(0.1, speed.linesPerSec)
  return seconds * 1_000 + timeouts.cutMs
}

/**
 * The effect of another probe of a printer. Silence of one that used to prove its tickets does not lower the required proof:
 * the level may change only to another in-order answer, never down to "assumed".
 */
export function mergeCapability(
  known: PrinterCapability | null,
  seen: PrinterCapability | null,
): PrinterCapability | null {
  if (!seen) return known
  if (isProof(bestMethod(known)) && !isProof(bestMethod(seen))) return known
  return seen
}
