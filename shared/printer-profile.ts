// What a family of printers can do, as data: columns, code pages, commands, status answers, speed.
import { z } from 'zod'

/** How the printer draws pictures: GS v 0; ESC * in 24- or 8-dot columns; Star's ESC k; ESC GS S and raster mode. `none`: not at all. */
export const imageMode = z.enum(['raster', 'column24', 'column8', 'star-column24', 'star-raster', 'none'])

/** Characters of two columns that the model has in its own font, and how they are sent. */
export const kanjiMode = z.enum(['gb18030', 'big5', 'shift-jis', 'euc-kr'])
export type KanjiMode = z.infer<typeof kanjiMode>

export const printerProfile = z.object({
  id: z.string(),
  vendor: z.string(),
  models: z.array(z.string()),
  /** Decides status protocol and tokenizer: the last three are Star's. `star-raster` has no text of its own: every line is a picture. */
  language: z.enum(['escpos', 'star-line', 'starprnt', 'star-raster']),
  /** Which command dialect writes style bytes: see shared/tickets/dialect. */
  dialect: z.enum(['ntp-epson', 'ntp-star', 'starprnt', 'star-raster', 'eb-bematech', 'eb-elgin', 'eb-daruma']),
  /** Characters a line in font A. */
  columns: z.number().int().min(24).max(64),
  dots: z.number().int(),
  dpi: z.number().int(),
  /** In order of preference: the first page that encodes a whole line is used for it. `page` is the n of ESC t n (Star: ESC GS t n). */
  codePages: z.array(z.object({ page: z.number().int(), encoding: z.string() })).min(1),
  /** Printer starts in Kanji mode, so FS . must be sent or accents print as Chinese. */
  cancelKanji: z.boolean(),
  /** Null: no characters of two columns; such lines are drawn. */
  kanji: kanjiMode.nullable(),
  image: imageMode,
  /** Rows of one picture command: an interrupted one leaves the printer hungry for at most this many rows. */
  maxBandRows: z.number().int().min(8).max(255),
  /** `label`: no cut, the label is fed to where it peels off. */
  cut: z.enum(['gs-v-66', 'gs-v-1', 'esc-m', 'esc-d', 'star-raster', 'label', 'none']),
  /** `bel` is no beep at a Star printer: there it opens the drawer. `star-em` is ESC GS EM. */
  beep: z.enum(['esc-paren-a', 'esc-paren-a-48', 'esc-b', 'bel', 'star-em', 'none']),
  /** How the drawer is opened; only by an explicit job. */
  drawer: z.enum(['esc-p', 'bel', 'none']),
  color: z.enum(['red', 'none']),
  /** Whose commands draw QR codes and barcodes. `picture`: we draw them. `none`: their data is printed as text. */
  symbols: z.enum(['epson', 'star', 'picture', 'none']),
  /** `label`: die-cut, one item a label of `heightMm`; text that does not fit ends in an ellipsis. */
  media: z.union([
    z.object({ kind: z.literal('roll') }),
    z.object({ kind: z.literal('label'), heightMm: z.number().positive() }),
  ]),
  /** Out of band status of Star's TSP100: port 9101. */
  statusPort: z.number().int().nullable(),
  /** DLE DC4 8 empties its buffers, so that data that was already sent can no longer print. */
  clearsBuffer: z.boolean(),
  /** Mechanical speed, for the time that a confirmation may take. */
  speed: z.union([z.object({ mmPerSec: z.number() }), z.object({ linesPerSec: z.number() })]),
  /** Upper bound of bytes a second for printers without flow control; null = back-pressure is enough. */
  paceBytesPerSec: z.number().nullable(),
  /** It closes (or resets) a connection on which nothing happens for so long. */
  idleCloseMs: z.number().int().nullable(),
})
export type PrinterProfile = z.infer<typeof printerProfile>

/**
 * What a printer was seen to answer; learnt by the transport's probe and stored per printer. Null = never seen answering anything.
 * The Star fields are absent in what an ESC/POS printer taught.
 */
export const printerCapability = z.object({
  dleEot: z.boolean(),
  asb: z.boolean(),
  gsParenH: z.boolean(),
  gsI: z.boolean(),
  gsR: z.boolean(),
  /** It sends unrequested bytes that cannot be distinguished from its answers to GS r: those are not used. */
  talks: z.boolean().optional(),
  /** Star: its status arrived (ESC ACK SOH, or port 9101). */
  starStatus: z.boolean().optional(),
  /** Star: the ETB counter went up behind our document. */
  starEtb: z.boolean().optional(),
  /** StarPRNT: ESC GS ETX came back with our id, to us alone. */
  starPrintEnd: z.boolean().optional(),
  learntAtMs: z.number(),
})
export type PrinterCapability = z.infer<typeof printerCapability>
