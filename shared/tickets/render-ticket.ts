// From a layout to the bytes that a printer gets: layout, encoding, firewall, and how much paper it takes.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { drawLines } from './draw-lines.ts'
import { EscposEncoder } from './escpos-encoder.ts'
import { pictureGrid } from './graphics.ts'
import { lineMm } from './line-height.ts'
import { lineHeight, type TicketLine } from './line-layout.ts'
import { checkDocument, FirewallError } from './output-firewall.ts'
import { sizeOfSymbol } from './symbols.ts'
import type { TextRaster } from './text-raster.ts'
import type { TicketPaper } from './ticket-paper.ts'

/** What goes on paper: the ticket's bytes after initialisation, up to and with the cut. */
export interface RenderedTicket {
  bytes: Uint8Array
  /** Height on paper in millimetres. */
  heightMm: number
  /** Passes of an impact head. */
  lines: number
}

// From print head to cutter.
const CUT_FEED_MM = 15

/**
 * Renders a ticket for one printer. The document holds no ESC @, FS . or GS a (the transport writes those) and ends with the cut.
 * Rejects with FirewallError when a command got in that no ticket may hold: then the ticket must not be printed.
 * @param raster draws what the printer has no characters for; null, or one that fails: such characters are transliterated
 * @param options beeps: before the first line
 */
export async function renderDocument(
  layout: (paper: TicketPaper) => TicketLine[],
  profile: PrinterProfile,
  raster: TextRaster | null,
  options: { beeps?: number } = {},
): Promise<RenderedTicket> {
  if (raster === null || pictureGrid(profile) === null) return renderTransliterated(layout, profile, options)
  const encoder = encoderFor(profile)
  const lines = layout(paperOf(encoder, { drawn: true }))
  try {
    const drawn = await drawLines(lines, profile, encoder.codePages, raster)
    return finish(drawn, encoder, options)
  } catch (error) {
    if (error instanceof FirewallError) throw error
    // The raster has told its log why. A ticket in plain letters is worth more than none.
    if (profile.language !== 'star-raster') return renderTransliterated(layout, profile, options)
    // Nothing but pictures comes out of this one. The raster has a new worker by now, and plain letters cannot break it.
    const plain = layout(paperOf(encoder, { drawn: false }))
    return finish(await drawLines(plain, profile, encoder.codePages, raster), encoder, options)
  }
}

/** The same without a raster: nearest letters for what the printer lacks. Throws FirewallError. */
export function renderTransliterated(
  layout: (paper: TicketPaper) => TicketLine[],
  profile: PrinterProfile,
  options: { beeps?: number } = {},
): RenderedTicket {
  const encoder = encoderFor(profile)
  return finish(layout(paperOf(encoder, { drawn: false })), encoder, options)
}

function paperOf(encoder: EscposEncoder, { drawn }: { drawn: boolean }): TicketPaper {
  const { codePages, dialect, profile } = encoder
  return {
    columns: profile.columns,
    printable: (text) => codePages.printable(text, { drawn }),
    draws: (symbol) => dialect.drawsSymbols && sizeOfSymbol(symbol, profile) !== null,
  }
}

function finish(lines: readonly TicketLine[], encoder: EscposEncoder, options: { beeps?: number }): RenderedTicket {
  const { profile, dialect } = encoder
  const bytes = encoder.encode(lines, options)
  checkDocument(bytes, profile, dialect)
  return { bytes, heightMm: heightMm(lines, profile), lines: printedLines(lines) }
}

/** Millimetres of paper, rounded up. */
function heightMm(lines: readonly TicketLine[], profile: PrinterProfile): number {
  const text = lines.reduce((sum, line) => sum + lineMm(line, profile), 0)
  return Math.ceil(text + CUT_FEED_MM)
}

/** Passes of an impact head: a double-height line takes two, a picture one for each eight rows. */
function printedLines(lines: readonly TicketLine[]): number {
  return lines.reduce(
    (sum, line) => sum + (line.bitmap === undefined ? lineHeight(line) : Math.ceil(line.bitmap.heightDots / 8)),
    0,
  )
}

// A cache of values that never change: code pages and library commands per profile. Not state: nothing can be observed but the speed.
const encoders = new WeakMap<PrinterProfile, EscposEncoder>()

function encoderFor(profile: PrinterProfile): EscposEncoder {
  const known = encoders.get(profile)
  if (known !== undefined) return known
  const encoder = new EscposEncoder(profile)
  encoders.set(profile, encoder)
  return encoder
}
