// What a family of printers can do, as data: columns, code pages, commands, status answers, speed.
import { z } from 'zod'

export const printerProfile = z.object({
  id: z.string(),
  vendor: z.string(),
  models: z.array(z.string()),
  language: z.enum(['escpos']),
  /** Which command dialect writes style bytes: see shared/tickets/dialect. */
  dialect: z.enum(['ntp-epson', 'eb-bematech', 'eb-elgin', 'eb-daruma']),
  /** Characters a line in font A. */
  columns: z.number().int().min(24).max(64),
  dots: z.number().int(),
  dpi: z.number().int(),
  /** In order of preference: the first page that encodes a whole line is used for it. `page` is the n of ESC t n. */
  codePages: z.array(z.object({ page: z.number().int(), encoding: z.string() })).min(1),
  /** Printer starts in Kanji mode, so FS . must be sent or accents print as Chinese. */
  cancelKanji: z.boolean(),
  cut: z.enum(['gs-v-66', 'gs-v-1', 'esc-m', 'none']),
  beep: z.enum(['esc-paren-a', 'esc-b', 'none']),
  color: z.enum(['red', 'none']),
  /** Mechanical speed, for the time that a confirmation may take. */
  speed: z.union([z.object({ mmPerSec: z.number() }), z.object({ linesPerSec: z.number() })]),
  /** Upper bound of bytes a second for printers without flow control; null = back-pressure is enough. */
  paceBytesPerSec: z.number().nullable(),
})
export type PrinterProfile = z.infer<typeof printerProfile>

/** What a printer was seen to answer; learnt by the transport's probe and stored per printer. Null = never seen answering anything. */
export const printerCapability = z.object({
  dleEot: z.boolean(),
  asb: z.boolean(),
  gsParenH: z.boolean(),
  gsI: z.boolean(),
  gsR: z.boolean(),
  learntAtMs: z.number(),
})
export type PrinterCapability = z.infer<typeof printerCapability>
