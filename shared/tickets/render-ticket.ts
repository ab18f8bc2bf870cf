// Renders a layout to the printer's bytes (encoding, drawing, output firewall), and measures the paper.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import type { Bitmap } from './bitmap.ts'
import type { CodePages } from './code-page.ts'
import { EscposEncoder } from './escpos-encoder.ts'
import { pictureGrid } from './graphics.ts'
import { fitsLabel, fitToLabel, standOnLabel } from './label-height.ts'
import { lineMm } from './line-height.ts'
import { lineHeight, lineWidth, type TicketLine } from './line-layout.ts'
import { checkDocument, FirewallError } from './output-firewall.ts'
import { countMissing, graphemesOf, type Missing, NONE_MISSING, standIn } from './stand-in.ts'
import { sizeOfSymbol, withQuietZones } from './symbols.ts'
import type { DrawOptions, RasterRequest, TextRaster } from './text-raster.ts'
import type { TicketPaper } from './ticket-paper.ts'

/** The bytes of a ticket after the printer's initialization, up to and including the cut. */
export interface RenderedTicket {
  bytes: Uint8Array
  /** Height on paper in millimetres. */
  heightMm: number
  /** Passes of an impact head. */
  lines: number
  /** Number of visible characters of the order that cannot be printed. Their code points or `?` are printed instead. */
  unprintable: number
  /** The readable text, line by line, if some of it was drawn and is therefore not in the bytes. Logos and codes are in brackets. */
  text?: string
}

// Distance from print head to cutter.
const CUT_FEED_MM = 15

export interface RenderOptions {
  /** Before the first line. */
  beeps?: number
  /** Content that does not fit a die-cut label continues on the next ones. */
  runsOn?: boolean
  /** Time zone of the merchant, which determines the shapes of Chinese characters. */
  timeZone?: string
}

type Layout = (paper: TicketPaper) => TicketLine[]

/**
 * Renders a ticket for one printer. The document contains no ESC @, FS . or GS a (the transport writes those) and ends with the cut.
 * @param raster draws what the printer has no characters for; null, or a raster that fails: such characters are transliterated
 * @throws FirewallError if the bytes contain a command that no ticket may contain: then the ticket must not be printed
 */
export async function renderDocument(
  layout: Layout,
  profile: PrinterProfile,
  { raster, ...options }: { raster: TextRaster | null } & RenderOptions,
): Promise<RenderedTicket> {
  if (raster === null || pictureGrid(profile) === null) return renderTransliterated(layout, profile, options)
  const encoder = encoderFor(profile)
  const draw = (lines: readonly TicketLine[]) =>
    drawLines(lines, profile, { codePages: encoder.codePages, raster, ...options })
  try {
    const { lines, unprintable } = await drawableLines(layout, encoder, raster)
    const drawn = await draw(lines)
    const fitting = options.runsOn === true ? lines : fitToLabel(lines, profile, drawn)
    // Drawn again after the cut to size, so that the dots of a cut line are drawn too.
    const last = fitting === lines ? drawn : await draw(fitting)
    const rendered = finish(last, encoder, { ...options, unprintable: unprintable + undrawnIn(drawn) })
    return withText(rendered, { lines: fitting, drawn: last, profile })
  } catch (error) {
    if (error instanceof FirewallError) throw error
    // The raster has logged the reason. A ticket in plain letters is better than none.
    if (profile.language !== 'star-raster') return renderTransliterated(layout, profile, options)
    // This printer prints pictures only. The raster has started a new worker, and plain letters cannot break it.
    const { lines, unprintable } = plainLines(layout, encoder)
    const drawn = await draw(lines)
    return withText(finish(drawn, encoder, { ...options, unprintable }), { lines, drawn, profile })
  }
}

/** @param lines as laid out, with their words; `drawn` has pictures in place of some */
function withText(
  ticket: RenderedTicket,
  { lines, drawn, profile }: { lines: readonly TicketLine[]; drawn: readonly TicketLine[]; profile: PrinterProfile },
): RenderedTicket {
  if (drawn.every((line, i) => line === lines[i])) return ticket
  const text = withQuietZones(lines, profile).map((line) => textOf(line, profile))
  return { ...ticket, text: text.join('\n') }
}

/** The text at its position on paper, in columns. */
function textOf(line: TicketLine, profile: PrinterProfile): string {
  const { align, bitmap, symbol } = line
  const isCode = symbol !== undefined && sizeOfSymbol(symbol, profile) !== null
  const graphic = isCode ? `[${symbol.what} "${symbol.data}"]` : null
  const words = bitmap === undefined ? graphic : `[raster ${bitmap.widthDots}x${bitmap.heightDots}]`
  const free = Math.max(0, profile.columns - (words?.length ?? lineWidth(line)))
  const before = align === 'left' ? 0 : align === 'right' ? free : Math.floor(free / 2)
  return `${' '.repeat(before)}${words ?? wordsOf(line)}`.trimEnd()
}

/** Spaces before the first word are repeated for the scale, so that it is in its column. */
function wordsOf({ runs }: TicketLine): string {
  let words = ''
  for (const { text, widthScale = 1 } of runs) {
    const rest = words.trim() === '' ? text.trimStart() : text
    words += ' '.repeat((text.length - rest.length) * widthScale) + rest
  }
  return words
}

function undrawnIn(lines: readonly TicketLine[]): number {
  return lines.reduce((sum, { bitmap }) => sum + (bitmap?.undrawn ?? 0), 0)
}

/**
 * The same without a raster: nearest letters for what the printer lacks.
 * @throws FirewallError
 */
export function renderTransliterated(
  layout: Layout,
  profile: PrinterProfile,
  options: RenderOptions = {},
): RenderedTicket {
  const encoder = encoderFor(profile)
  const { lines, unprintable } = plainLines(layout, encoder)
  return finish(lines, encoder, { ...options, unprintable })
}

interface LaidOut {
  lines: TicketLine[]
  unprintable: number
}

/** The lines to draw. Laid out a second time if a stand-in replaces a character that no font has, since it is wider. */
async function drawableLines(layout: Layout, encoder: EscposEncoder, raster: TextRaster): Promise<LaidOut> {
  const lines = layout(paperOf(encoder, { drawn: true }))
  const foreign = graphemesOf(linesToDraw(lines, encoder.profile, encoder.codePages))
  const missing = foreign.length === 0 ? NONE_MISSING : await raster.missing(foreign)
  if (missing.size === 0) return { lines, unprintable: 0 }
  return { lines: layout(paperOf(encoder, { drawn: true, missing })), unprintable: countMissing(lines, missing) }
}

/** The lines in the printer's own characters and the nearest letters, `?` where there is none. */
function plainLines(layout: Layout, encoder: EscposEncoder): LaidOut {
  const lines = layout(paperOf(encoder, { drawn: false }))
  if (!lines.some(({ runs }) => runs.some(({ text }) => text.includes('?')))) return { lines, unprintable: 0 }
  const { codePages } = encoder
  const whole = graphemesOf(layout(paperOf(encoder, { drawn: true })))
  const lost = whole.filter((grapheme) => !codePages.has(grapheme) && codePages.printable(grapheme).includes('?'))
  return { lines, unprintable: lost.length }
}

function paperOf(
  encoder: EscposEncoder,
  { drawn, missing = NONE_MISSING }: { drawn: boolean; missing?: Missing },
): TicketPaper {
  const { codePages, dialect, profile } = encoder
  const isDrawnAmong = (lines: readonly TicketLine[]) => {
    const pictures = new Set(drawn ? linesToDraw(lines, profile, codePages) : [])
    return (line: TicketLine) => pictures.has(line)
  }
  return {
    columns: profile.columns,
    printable: (text) => codePages.printable(standIn(text, missing), { drawn }),
    draws: (symbol) =>
      dialect.drawsSymbols &&
      sizeOfSymbol(symbol, profile) !== null &&
      fitsLabel({ align: 'center', runs: [], symbol }, profile),
    ...(profile.media.kind === 'roll' ? {} : { fits: (lines) => standOnLabel(lines, profile, isDrawnAmong(lines)) }),
  }
}

function finish(
  lines: readonly TicketLine[],
  encoder: EscposEncoder,
  { unprintable, ...options }: RenderOptions & { unprintable: number },
): RenderedTicket {
  const { profile, dialect } = encoder
  const bytes = encoder.encode(lines, options)
  checkDocument(bytes, profile, dialect)
  return { bytes, heightMm: heightMm(lines, profile), lines: printedLines(lines), unprintable }
}

/** Millimetres of paper, rounded up. */
function heightMm(lines: readonly TicketLine[], profile: PrinterProfile): number {
  const text = lines.reduce((sum, line) => sum + lineMm(line, profile), 0)
  return Math.ceil(text + CUT_FEED_MM)
}

/** Passes of an impact head: two for a double-height line, one for each eight rows of a picture. */
function printedLines(lines: readonly TicketLine[]): number {
  return lines.reduce(
    (sum, line) => sum + (line.bitmap === undefined ? lineHeight(line) : Math.ceil(line.bitmap.heightDots / 8)),
    0,
  )
}

// A cache by profile of code pages and library commands.
const encoders = new WeakMap<PrinterProfile, EscposEncoder>()

function encoderFor(profile: PrinterProfile): EscposEncoder {
  const known = encoders.get(profile)
  if (known !== undefined) return known
  const encoder = new EscposEncoder(profile)
  encoders.set(profile, encoder)
  return encoder
}

// Which lines of a ticket are drawn as pictures, because the printer does not have all of their characters.

/** Replaces lines with characters that the printer lacks by pictures as wide as the paper, left-aligned. Rejects if the raster does. */
async function drawLines(
  lines: readonly TicketLine[],
  profile: PrinterProfile,
  { codePages, raster, ...options }: { codePages: CodePages; raster: TextRaster } & DrawOptions,
): Promise<readonly TicketLine[]> {
  const grid = pictureGrid(profile)
  if (grid === null) return lines
  const drawn = linesToDraw(lines, profile, codePages)
  if (drawn.length === 0) return lines
  const { columns } = profile
  const requests = drawn.map((line): RasterRequest => ({ line: inBlack(line, profile), columns, ...grid }))
  const bitmaps = await raster.draw(requests, options)
  const bitmapOf = new Map<TicketLine, Bitmap | undefined>(drawn.map((line, i) => [line, bitmaps[i]]))
  return lines.map((line): TicketLine => {
    const bitmap = bitmapOf.get(line)
    return bitmap === undefined ? line : { ...line, align: 'left', bitmap }
  })
}

/** The lines with characters that the printer does not have. */
function linesToDraw(
  lines: readonly TicketLine[],
  profile: PrinterProfile,
  codePages: CodePages,
): readonly TicketLine[] {
  return lines.filter((line) => isDrawn(line, profile, codePages))
}

function isDrawn({ runs, symbol, bitmap }: TicketLine, profile: PrinterProfile, codePages: CodePages): boolean {
  if (symbol !== undefined || bitmap !== undefined) return false
  const text = runs.map((run) => run.text).join('')
  // Star's raster models have no characters of their own.
  return profile.language === 'star-raster' ? text.trim() !== '' : !codePages.has(text)
}

/** A two-colour ribbon prints alarming text in red. Elsewhere it is white on black, also when drawn. */
function inBlack(line: TicketLine, { color }: PrinterProfile): TicketLine {
  return color === 'red' ? { ...line, runs: line.runs.map((run) => ({ ...run, alarm: false })) } : line
}
