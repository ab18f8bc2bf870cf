// What stands on paper: lines with their styles and places, and what else a ticket made the printer do.
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
  /** Dots from one of its characters to the next. */
  advanceDots: number
  /** Height of its characters, with their scale. */
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
  /** Pictures between the characters; they stand on the same baseline. */
  pictures: readonly PlacedPicture[]
  /** Columns of the paper that the characters take: a double-width character takes two. */
  columns: number
  /** The line goes on from the one before, because the printer ran out of columns. */
  wrapped: boolean
  /** How far the paper moves: line spacing, or what stands on the line when that is higher. */
  heightDots: number
}

/** What a picture or a code is made of. `box`: a code that is not drawn, only told. */
export type Drawing =
  | { kind: 'picture'; picture: Picture }
  | { kind: 'qr'; bytes: Uint8Array; level: QrLevel; moduleDots: number }
  /** Widths of bars and spaces in turn, in modules, the first a bar. */
  | { kind: 'bars'; widths: readonly number[]; moduleDots: number; barsDots: number }
  | { kind: 'box' }

/** A picture, QR code or barcode. */
export interface GraphicLine {
  kind: 'graphic'
  what: 'raster' | 'qr' | 'barcode'
  align: PaperAlign
  xDots: number
  widthDots: number
  /** How far the paper moves. */
  heightDots: number
  /** What a code says; null for pictures. */
  data: string | null
  /** Readable characters below a barcode; null: none. */
  caption: string | null
  /** Printed with the red half of the ribbon. */
  red: boolean
  drawing: Drawing
}

/** Blank paper that was fed by dots. */
export interface FeedLine {
  kind: 'feed'
  heightDots: number
}

export type PaperLine = TextLine | GraphicLine | FeedLine

/** The grid on which all stands. */
export interface PaperGrid {
  /** Characters a line in font A. */
  columns: number
  /** Printable dots a line. */
  dots: number
  /** A cell of font A. */
  cellWidth: number
  cellHeight: number
  /** A cell of font B. */
  smallCell: { width: number; height: number }
  /** Die-cut labels of this height; null: a roll. */
  labelDots: number | null
}

/** One piece of paper, from the last cut to the next. */
export class PaperTicket {
  readonly grid: PaperGrid
  readonly lines: PaperLine[] = []
  drawerPulses = 0
  beeps = 0
  /** Null while the ticket is still in the printer. */
  cut: 'full' | 'partial' | null = null
  /** Commands that are not interpreted, each once: what they do is not on this paper. `?` behind a code that is not known at all. */
  readonly ignored: string[] = []
  readonly #ignored = new Set<string>()

  constructor(grid: PaperGrid) {
    this.grid = grid
  }

  get columns(): number {
    return this.grid.columns
  }

  /** True when neither text nor a picture stands on it. */
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

  /** What a person reads, line by line; places are kept with spaces, trailing spaces are not. Pictures and codes stand in brackets. */
  text(): string {
    const texts: string[] = []
    let above: GraphicLine | null = null
    for (const line of this.lines) {
      if (line.kind === 'feed') continue
      const graphic: GraphicLine | null = line.kind === 'graphic' ? line : null
      const whole: GraphicLine | null = graphic === null || above === null ? graphic : joined(above, graphic)
      // The bands that a picture came in are one picture to the eye.
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
      // Leading spaces count as wide as they are, so that what is behind stands where it is printed.
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

/** Characters, where UTF-16 may need two units for one. */
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
