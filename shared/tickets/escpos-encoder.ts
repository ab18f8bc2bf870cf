// Encodes ticket lines to the bytes of one document: code pages, styles, line feeds, the cut. The transport writes ESC @, FS . and GS a.
import type { KanjiMode, PrinterProfile } from '#shared/printer-profile.ts'
import { brazilianDialect } from './brazilian-dialect.ts'
import { CodePages } from './code-page.ts'
import type { Dialect } from './dialect.ts'
import { beepBytes, cutBytes, mediaStartBytes } from './document-frame.ts'
import { epsonDialect } from './epson-dialect.ts'
import { joined, pictureBytes } from './graphics.ts'
import { fitToLabel, overLabels } from './label-height.ts'
import type { RunStyle, TicketLine } from './line-layout.ts'
import { starLineDialect, starprntDialect, starRasterDialect } from './star-dialect.ts'
import { starRasterDocument } from './star-raster-document.ts'
import { symbolPicture } from './symbol-picture.ts'
import { sizeOfSymbol, symbolBytes, withQuietZones } from './symbols.ts'

const LF = 0x0a

/**
 * Encoder for one printer profile. Immutable. Create it once per profile: reading the libraries' commands and code pages takes
 * milliseconds.
 */
export class EscposEncoder {
  readonly profile: PrinterProfile
  readonly dialect: Dialect
  readonly codePages: CodePages

  constructor(profile: PrinterProfile) {
    this.profile = profile
    this.dialect = dialectOf(profile)
    this.codePages = new CodePages(profile)
  }

  /**
   * Encodes the whole document, beeps first. Lines must contain printable text only (CodePages.printable) or a picture. On die-cut labels
   * the document ends with the label, unless `runsOn` is set: then it continues on the next ones.
   */
  encode(
    lines: readonly TicketLine[],
    { beeps = 0, runsOn = false }: { beeps?: number; runsOn?: boolean } = {},
  ): Uint8Array {
    const withZones = withQuietZones(lines, this.profile)
    if (this.profile.language === 'star-raster') return starRasterDocument(withZones, this.profile)
    const labels = runsOn ? overLabels(withZones, this.profile) : [fitToLabel(withZones, this.profile)]
    const writer = new StyleWriter(this.dialect)
    writer.bytes(this.dialect.start)
    writer.bytes(beepBytes(this.profile, beeps))
    writer.bytes(mediaStartBytes(this.profile))
    writer.bytes(this.dialect.codePage(this.codePages.first))
    labels.forEach((lines, index) => {
      if (index > 0) writer.bytes(mediaStartBytes(this.profile))
      for (const line of lines) this.#encodeLine(writer, line)
    })
    writer.endDocument()
    writer.bytes(cutBytes(this.profile))
    return writer.result()
  }

  #encodeLine(writer: StyleWriter, line: TicketLine): void {
    writer.align(line.align)
    // A line is red as a whole, also if drawn, so that the ribbon shifts once.
    writer.red(line.runs.some((run) => run.alarm === true))
    const graphic = this.#graphicBytes(line)
    if (graphic.length > 0) {
      writer.bytes(graphic)
      return
    }
    const text = line.runs.map((run) => run.text).join('')
    const page = this.codePages.pageFor(text)
    writer.forgetPage()
    for (const run of line.runs) {
      writer.style(run)
      for (const segment of this.codePages.encode(run.text, page)) {
        if ('kanji' in segment) writer.kanji(segment.kanji, segment.bytes)
        else writer.text(segment.page, segment.bytes)
      }
    }
    writer.plain()
    writer.byte(LF)
  }

  /** The picture or code of a line. Empty if it has none or the printer cannot draw it. */
  #graphicBytes({ bitmap, symbol }: TicketLine): Uint8Array {
    if (bitmap !== undefined) return pictureBytes(bitmap, this.profile)
    const size = symbol === undefined ? null : sizeOfSymbol(symbol, this.profile)
    if (symbol === undefined || size === null) return new Uint8Array(0)
    if (this.profile.symbols !== 'picture') return symbolBytes(symbol, size, this.profile)
    const picture = symbolPicture(symbol, size)
    return picture === null ? new Uint8Array(0) : pictureBytes(picture, this.profile)
  }
}

function dialectOf(profile: PrinterProfile): Dialect {
  switch (profile.dialect) {
    case 'ntp-epson':
      return epsonDialect(profile)
    case 'ntp-star':
      return starLineDialect(profile)
    case 'starprnt':
      return starprntDialect(profile)
    case 'star-raster':
      return starRasterDialect()
    case 'eb-bematech':
    case 'eb-elgin':
    case 'eb-daruma':
      return brazilianDialect(profile)
  }
}

/** Writes a style command only if the style changes. */
class StyleWriter {
  readonly #dialect: Dialect
  readonly #parts: Uint8Array[] = []
  /** Null: unknown. */
  #page: number | null = null
  #bold = false
  #underline = false
  #inverse = false
  #red = false
  #width = 1
  #height = 1
  #align: TicketLine['align'] = 'left'

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  bytes(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#parts.push(bytes)
  }

  byte(byte: number): void {
    this.#parts.push(Uint8Array.of(byte))
  }

  align(align: TicketLine['align']): void {
    if (align === this.#align) return
    this.#align = align
    this.bytes(this.#dialect.align(align))
  }

  red(on: boolean): void {
    if (on === this.#red) return
    this.#red = on
    this.bytes(this.#dialect.red(on))
  }

  /** Some printers lose the code page after a picture, a font change or an error, so the next text beyond ASCII selects it again. */
  forgetPage(): void {
    this.#page = null
  }

  text(page: number, bytes: Uint8Array): void {
    if (page !== this.#page && bytes.some((byte) => byte > 0x7f)) this.#selectPage(page)
    this.bytes(bytes)
  }

  #selectPage(page: number): void {
    this.#page = page
    this.bytes(this.#dialect.codePage(page))
  }

  kanji(mode: KanjiMode, bytes: Uint8Array): void {
    const { kanji } = this.#dialect
    if (kanji === null) throw new Error('Text in two-column characters for a printer that has none')
    this.bytes(kanji.on(mode))
    this.bytes(bytes)
    this.bytes(kanji.off(mode))
  }

  style(style: RunStyle): void {
    this.#size(style.widthScale ?? 1, style.heightScale ?? 1)
    this.#setBold(style.bold ?? false)
    this.#setUnderline(style.underline ?? false)
    const inverse = style.alarm ?? false
    if (inverse !== this.#inverse) {
      this.#inverse = inverse
      this.bytes(this.#dialect.inverse(inverse))
    }
  }

  plain(): void {
    this.style({})
  }

  /** Resets the printer to left-aligned and black. */
  endDocument(): void {
    this.align('left')
    this.red(false)
  }

  #size(width: number, height: number): void {
    if (width === this.#width && height === this.#height) return
    this.#width = width
    this.#height = height
    this.bytes(this.#dialect.size(width, height))
    this.forgetPage()
    if (!this.#dialect.sizeResetsStyle) return
    this.#bold = false
    this.#underline = false
  }

  #setBold(on: boolean): void {
    if (on === this.#bold) return
    this.#bold = on
    this.bytes(this.#dialect.bold(on))
  }

  #setUnderline(on: boolean): void {
    if (on === this.#underline) return
    this.#underline = on
    this.bytes(this.#dialect.underline(on))
  }

  result(): Uint8Array {
    return joined(this.#parts)
  }
}
