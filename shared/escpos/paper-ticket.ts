// What stands on paper: lines with their styles, and what else a ticket made the printer do.

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
}

export interface TextLine {
  kind: 'text'
  align: PaperAlign
  upsideDown: boolean
  runs: readonly PaperRun[]
  /** Columns of the paper that the characters take: a double-width character takes two. */
  columns: number
  /** The line goes on from the one before, because the printer ran out of columns. */
  wrapped: boolean
  heightDots: number
}

/** A picture, QR code or barcode: only its size and, for codes, its data are known. */
export interface GraphicLine {
  kind: 'graphic'
  what: 'raster' | 'bit-image' | 'qr' | 'barcode'
  align: PaperAlign
  widthDots: number
  heightDots: number
  data: string | null
}

/** Blank paper that was fed by dots. */
export interface FeedLine {
  kind: 'feed'
  heightDots: number
}

export type PaperLine = TextLine | GraphicLine | FeedLine

/** One piece of paper, from the last cut to the next. */
export class PaperTicket {
  readonly columns: number
  readonly lines: PaperLine[] = []
  drawerPulses = 0
  beeps = 0
  /** Null while the ticket is still in the printer. */
  cut: 'full' | 'partial' | null = null
  /** Names of commands that changed nothing here because they are not interpreted; `?` behind a code that is not known at all. */
  readonly ignored: string[] = []

  constructor(columns: number) {
    this.columns = columns
  }

  /** True when neither text nor a picture stands on it. */
  get blank(): boolean {
    return this.lines.every((line) => line.kind === 'feed' || (line.kind === 'text' && line.columns === 0))
  }

  get heightDots(): number {
    return this.lines.reduce((sum, line) => sum + line.heightDots, 0)
  }

  /** What a person reads, line by line; alignment is kept with spaces, trailing spaces are not. Pictures stand in brackets. */
  text(): string {
    return this.lines
      .filter((line) => line.kind !== 'feed')
      .map((line) => (line.kind === 'text' ? this.#textOf(line) : this.#graphicOf(line)))
      .join('\n')
  }

  #textOf(line: TextLine): string {
    const indent = ' '.repeat(this.#indent(line.runs))
    const text = line.runs.map((run) => run.text).join('')
    return `${this.#padding(line.align, line.columns)}${indent}${text.trimStart()}`.trimEnd()
  }

  /** Columns of the spaces before the text: each takes two where the character is twice as wide. */
  #indent(runs: readonly PaperRun[]): number {
    let columns = 0
    for (const run of runs) {
      const spaces = run.text.length - run.text.trimStart().length
      columns += spaces * run.widthScale
      if (spaces < run.text.length) break
    }
    return columns
  }

  #graphicOf(line: GraphicLine): string {
    const data = line.data === null ? '' : ` "${line.data}"`
    const text = `[${line.what}${data} ${line.widthDots}x${line.heightDots}]`
    return `${this.#padding(line.align, text.length)}${text}`
  }

  #padding(align: PaperAlign, width: number): string {
    const free = Math.max(0, this.columns - width)
    return ' '.repeat(align === 'left' ? 0 : align === 'right' ? free : Math.floor(free / 2))
  }
}
