// The content of printed paper: lines with their styles and positions, and the other effects of a ticket, such as drawer pulses.
import type { Picture } from './picture.ts'
import type { QrLevel } from './qr-code.ts'

export type PaperAlign = 'left' | 'center' | 'right'

export interface PaperStyle {
  bold: boolean
  underline: boolean
  inverse: boolean
  red: boolean
  /** 1 to 8 times the normal size. */
  widthScale: number
  heightScale: number
}

export interface PaperRun extends PaperStyle {
  text: string
  /** Its left edge, in dots from the left edge of the paper. */
  xDots: number
  /** Dots from one character to the next. */
  advanceDots: number
  /** Height of the characters in dots, including their scale. */
  heightDots: number
}

export interface PlacedPicture {
  picture: Picture
  xDots: number
  /** Printed with the red half of the ribbon. */
  red: boolean
}

export interface TextLine {
  kind: 'text'
  align: PaperAlign
  upsideDown: boolean
  runs: readonly PaperRun[]
  /** Pictures between the characters, on the same baseline. */
  pictures: readonly PlacedPicture[]
  /** Columns of paper that the characters take. A double-width character takes two. */
  columns: number
  /** True if the line continues the previous one because the printer ran out of columns. */
  wrapped: boolean
  /** Paper feed: the line spacing, or the height of the line if that is larger. */
  heightDots: number
}

/** The content of a picture or code. `box`: a code that is not drawn, only described. */
export type Drawing =
  | { kind: 'picture'; picture: Picture }
  | { kind: 'qr'; bytes: Uint8Array; level: QrLevel; moduleDots: number }
  /** Alternating widths of bars and spaces in modules, starting with a bar. */
  | { kind: 'bars'; widths: readonly number[]; moduleDots: number; barsDots: number }
  | { kind: 'box' }

/** A picture, QR code or barcode. */
export interface GraphicLine {
  kind: 'graphic'
  what: 'raster' | 'qr' | 'barcode'
  align: PaperAlign
  xDots: number
  widthDots: number
  /** Paper feed in dots. */
  heightDots: number
  /** Data of a code; null for pictures. */
  data: string | null
  /** Readable text below a barcode, or null. */
  caption: string | null
  /** Printed with the red half of the ribbon. */
  red: boolean
  drawing: Drawing
}

/** Blank paper, fed by a number of dots. */
export interface FeedLine {
  kind: 'feed'
  heightDots: number
}

export type PaperLine = TextLine | GraphicLine | FeedLine

/** The grid in which everything is printed. */
export interface PaperGrid {
  /** Characters per line in font A. */
  columns: number
  /** Printable dots per line. */
  dots: number
  /** Size of a font A cell. */
  cellWidth: number
  cellHeight: number
  /** Size of a font B cell. */
  smallCell: { width: number; height: number }
  /** Height of die-cut labels; null for a roll. */
  labelDots: number | null
}

/** One piece of paper, from one cut to the next. */
export class PaperTicket {
  readonly grid: PaperGrid
  readonly lines: PaperLine[] = []
  drawerPulses = 0
  beeps = 0
  /** Null while the ticket is still in the printer. */
  cut: 'full' | 'partial' | null = null
  /**
   * Commands that were not interpreted, without duplicates: this paper does not show their effect. A `?` after a code marks an unknown one.
   */
  readonly ignored: string[] = []
  readonly #ignored = new Set<string>()

  constructor(grid: PaperGrid) {
    this.grid = grid
  }

  get columns(): number {
    return this.grid.columns
  }

  /** True if there is neither text nor a picture on it. */
  get blank(): boolean {
    return this.lines.every(
      (line) => line.kind === 'feed' || (line.kind === 'text' && line.columns === 0 && line.pictures.length === 0),
    )
  }

  get heightDots(): number {
    return this.lines.reduce((sum, line) => sum + line.heightDots, 0)
  }

  ignore(name: string): void {
    if (this.#ignored.has(name)) return
    this.#ignored.add(name)
    this.ignored.push(name)
  }

  /** The readable text, line by line. Positions are kept with spaces; trailing spaces are removed. Pictures and codes are in brackets. */
  text(): string {
    const texts: string[] = []
    let above: GraphicLine | null = null
    for (const line of this.lines) {
      if (line.kind === 'feed') continue
      const graphic: GraphicLine | null = line.kind === 'graphic' ? line : null
      const whole: GraphicLine | null = graphic === null || above === null ? graphic : joined(above, graphic)
      // A picture that was sent in bands is shown as one picture.
      if (whole !== graphic) texts.pop()
      texts.push(whole === null ? this.#textOf(line as TextLine) : this.#graphicOf(whole))
      above = whole
    }
    return texts.join('\n')
  }

  #textOf({ runs, pictures }: TextLine): string {
    const { cellWidth } = this.grid
    let text = ''
    let endDots = 0
    for (const run of runs) {
      const gap = Math.floor((run.xDots - endDots) / cellWidth)
      // Leading spaces count with their printed width, so that the text after them is in the right column.
      const spaces = text.trim() === '' ? run.text.length - run.text.trimStart().length : 0
      const wide = Math.round((spaces * run.advanceDots) / cellWidth)
      text += ' '.repeat(Math.max(0, gap) + wide) + run.text.slice(spaces)
      endDots = run.xDots + characters(run.text) * run.advanceDots
    }
    const drawn = pictures.map(({ picture }) => ` [raster ${pictureSize(picture)}]`).join('')
    return `${text}${drawn}`.trimEnd()
  }

  #graphicOf(line: GraphicLine): string {
    const data = line.data === null ? '' : ` "${line.data}"`
    const text = `[${line.what}${data} ${line.widthDots}x${line.heightDots}]`
    const free = Math.max(0, this.columns - text.length)
    return ' '.repeat(line.align === 'left' ? 0 : line.align === 'right' ? free : Math.floor(free / 2)) + text
  }
}

/** Number of characters, counting surrogate pairs as one. */
export function characters(text: string): number {
  return Array.from(text).length
}

function pictureSize({ widthDots, heightDots, dotWidth, dotHeight }: Picture): string {
  return `${widthDots * dotWidth}x${heightDots * dotHeight}`
}

function joined(above: GraphicLine, below: GraphicLine): GraphicLine {
  const fits = above.what === 'raster' && below.what === 'raster' && above.xDots === below.xDots
  if (!fits || above.widthDots !== below.widthDots) return below
  return { ...above, heightDots: above.heightDots + below.heightDots }
}
