// A print job that is not an order's tickets: a kitchen note, a receipt or a label, as the client lays it out and as the gateway gets it.
import { z } from 'zod'
import { heldInstant } from '#shared/instant.ts'

/** `characters`: of all text lines together. */
export const PRINT_CONTENT_LIMITS = { lines: 200, characters: 4_000, qr: 500, barcode: 40 } as const

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/** One element of the paper, top to bottom. A text longer than the paper is wide is wrapped. */
export const contentLine = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('text'),
      /** Empty makes a blank line. */
      text: z
        .string()
        .max(500)
        .refine((s) => !CONTROL.test(s), { error: 'must not contain control characters' }),
      size: z.enum(['normal', 'large']).optional(),
      bold: z.boolean().optional(),
      align: z.enum(['left', 'center', 'right']).optional(),
    }),
    z.strictObject({ type: z.literal('rule') }),
    z.strictObject({
      type: z.literal('qr'),
      data: z
        .string()
        .min(1)
        .max(PRINT_CONTENT_LIMITS.qr)
        .refine((s) => !CONTROL.test(s), { error: 'must not contain control characters' }),
    }),
    z.strictObject({
      /** CODE 128. */
      type: z.literal('barcode'),
      data: z.string().regex(/^[\x20-\x7e]{1,40}$/, { error: 'must be 1 to 40 printable ASCII characters' }),
    }),
  ])
  .meta({ id: 'ContentLine' })
export type ContentLine = z.infer<typeof contentLine>

/** Which printers: the named one; else those that serve `station`; else those for this kind of paper; else the default printer. */
export const printTarget = z.object({
  printerId: z.string().nullable(),
  station: z.string().nullable(),
  copies: z.number().int().min(1).max(10),
})
export type PrintTarget = z.infer<typeof printTarget>

/** What the gateway gets. Texts come from outside and are sanitised when they are laid out. */
export const printDoc = z.object({
  merchantId: z.string(),
  locationId: z.string(),
  title: z.string().nullable(),
  content: z.array(contentLine).min(1),
  target: printTarget,
  /** Epoch milliseconds. */
  queuedAtMs: heldInstant,
  /** IANA zone: times on paper are local. */
  timeZone: z.string(),
})
export type PrintDoc = z.infer<typeof printDoc>
