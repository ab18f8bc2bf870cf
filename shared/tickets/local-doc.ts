// Jobs that a gateway creates itself: slips, test tickets, the code page sheet, the drawer pulse. They are never sent over the link.
import { z } from 'zod'
import { jobDoc } from '#shared/wire/gateway-link.ts'

const text = z.string().max(500)
const common = { queuedAtMs: z.number(), timeZone: z.string() }

export const localDoc = z.discriminatedUnion('kind', [
  /**
   * A slip to the kitchen: tickets that moved to another printer, or tickets that wait. Lines contain names and order numbers, which are
   * sanitized at layout.
   */
  z.object({
    kind: z.literal('slip'),
    ...common,
    title: text,
    lines: z.array(text).max(100),
    /** Text of a QR code below the lines. */
    qr: text.optional(),
    footer: text.optional(),
    /** Number of beeps before it, to get attention. */
    beeps: z.number().int().min(1).max(9).optional(),
  }),
  /** The technician's test ticket: widths, styles, accents, cut, and a four-digit code to type in. */
  z.object({ kind: z.literal('test'), ...common, code: z.string().regex(/^\d{4}$/), facts: z.array(text).max(20) }),
  /** One row for each code page in use, from which the technician picks. */
  z.object({ kind: z.literal('code-pages'), ...common }),
  /** Opens the cash drawer. No paper. */
  z.object({ kind: z.literal('drawer'), ...common }),
])
export type LocalDoc = z.infer<typeof localDoc>

const [orderDoc, boardDoc, fireDoc, ...otherJobDocs] = jobDoc.options
/**
 * Set for a test order that the gateway creates, or a course of it. It must not be made. It is removed from documents that come over the
 * link.
 */
const isTest = z.literal(true).optional()

/** All documents that a stored job may have. */
export const storedDoc = z.union([
  z.discriminatedUnion('kind', [orderDoc.extend({ isTest }), boardDoc, fireDoc.extend({ isTest }), ...otherJobDocs]),
  localDoc,
])
export type StoredDoc = z.infer<typeof storedDoc>

/** Returns whether it is a test order of the gateway, or a course of one. */
export function isTestOrder(doc: StoredDoc): boolean {
  return (doc.kind === 'order' || doc.kind === 'fire') && doc.isTest === true
}
