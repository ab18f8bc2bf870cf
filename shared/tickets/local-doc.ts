// Jobs that a gateway makes for itself: slips to the kitchen, test tickets, the code page sheet, the drawer. They never come over the wire.
import { z } from 'zod'
import { jobDoc } from '#shared/wire/gateway-link.ts'

const text = z.string().max(500)
const common = { queuedAtMs: z.number(), timeZone: z.string() }

export const localDoc = z.discriminatedUnion('kind', [
  /** Words of the gateway to the kitchen: what moved to another printer, what waits. Lines hold names and order numbers: sanitised at layout. */
  z.object({
    kind: z.literal('slip'),
    ...common,
    title: text,
    lines: z.array(text).max(100),
    /** What a QR code under the lines says. */
    qr: text.optional(),
    footer: text.optional(),
    /** Sounds of the printer's buzzer before it: somebody shall look. */
    beeps: z.number().int().min(1).max(9).optional(),
  }),
  /** The technician's test ticket: widths, styles, accents, cut, and a code of four digits to type in. */
  z.object({ kind: z.literal('test'), ...common, code: z.string().regex(/^\d{4}$/), facts: z.array(text).max(20) }),
  /** A row for each code page that printers use, from which the technician picks. */
  z.object({ kind: z.literal('code-pages'), ...common }),
  /** Opens the cash drawer; no paper. */
  z.object({ kind: z.literal('drawer'), ...common }),
])
export type LocalDoc = z.infer<typeof localDoc>

const [orderDoc, boardDoc, fireDoc, ...otherJobDocs] = jobDoc.options
/** An order of the box's own, to try everything with, or a course of it; nobody may make it. What comes over the wire has it taken off. */
const isTest = z.literal(true).optional()

/** What a stored job may hold. */
export const storedDoc = z.union([
  z.discriminatedUnion('kind', [orderDoc.extend({ isTest }), boardDoc, fireDoc.extend({ isTest }), ...otherJobDocs]),
  localDoc,
])
export type StoredDoc = z.infer<typeof storedDoc>

/** Whether it is an order that the box made to try everything with, or a course of one. */
export function isTestOrder(doc: StoredDoc): boolean {
  return (doc.kind === 'order' || doc.kind === 'fire') && doc.isTest === true
}
