// Words for the results of a print job, and the facts that prove what is on paper.
import { z } from 'zod'
import { heldInstant } from './instant.ts'

/** How reliable the proof is that the ticket is on paper. `assumed` = the printer has no in-order answer, or is known to have none. */
export const confirmation = z.enum(['confirmed', 'assumed'])
export type Confirmation = z.infer<typeof confirmation>

/**
 * By the printer's answer, the strongest proof first. `gs-paren-h`: GS ( H fn 48 returned our id (L3). `gs-i`, `gs-r`: an in-order status came back after the
 * cut (L2). `star-etb`: Star's counter increased after the document (L3). `person`: somebody checked and confirmed it. `dle-eot`: real-time status was good before and after and the printer closed its side (L1). `none`: it took the bytes and closed (L0).
 */
export const confirmMethod = z.enum(['gs-paren-h', 'star-etb', 'gs-i', 'gs-r', 'dle-eot', 'person', 'none'])
export type ConfirmMethod = z.infer<typeof confirmMethod>

/** One printer's result for its ticket of a job. Instants are epoch milliseconds on the relay's clock, as the gateway keeps it. */
export const ticketEvidence = z.object({
  ticketId: z.string(),
  printerId: z.string(),
  printerName: z.string(),
  /** Id of the printer that it was meant for, when another one has printed it. Older gateways do not send it. */
  movedFrom: z.string().max(64).optional(),
  state: z.enum(['printed', 'failed', 'cancelled', 'uncertain']),
  attempts: z.number().int().min(0),
  confirmation: confirmation.nullable(),
  method: confirmMethod.nullable(),
  /** The connection of the last attempt stood; earlier than its first byte when it was kept open. */
  connectedAtMs: heldInstant.nullable().optional(),
  /** First ticket byte of the last attempt written to the printer's socket. */
  firstByteAtMs: heldInstant.nullable(),
  /** Last byte of it taken by the operating system. */
  lastByteAtMs: heldInstant.nullable().optional(),
  /** Time on paper: the time of the confirmation. */
  printedAtMs: heldInstant.nullable(),
  /** True when the paper carries the POSSIBLE DUPLICATE banner. */
  possibleDuplicate: z.boolean(),
  /**
   * Number of characters of the order that the printer could not print: their code points or `?` are on the paper instead.
   * Absent: the gateway is older than this field, or nothing was printed.
   */
  unprintable: z.number().int().min(0).optional(),
  /** Why it is failed, cancelled or uncertain, in a stable word. */
  reason: z.string().nullable(),
})
export type TicketEvidence = z.infer<typeof ticketEvidence>

/** IPP's printer-state-reasons that we report, each with a text for people in gateway/printers/printer-status.ts. */
export const printerReason = z.enum([
  'none',
  'connecting-to-device',
  'timed-out',
  'shutdown',
  'busy',
  'media-empty',
  'media-low',
  'cover-open',
  'cutter-error',
  'recoverable-error',
  'unrecoverable-error',
  'offline',
  'not-responding',
  'another-printer',
])
export type PrinterReason = z.infer<typeof printerReason>

export const printerState = z.enum(['online', 'offline', 'unknown'])
export type PrinterState = z.infer<typeof printerState>
