// The part of the simulated printer that all command languages share: it builds lines on the dot grid, prints lines, feeds and cuts.

import type { TextDecoding } from './paper-text.ts'
import {
  characters,
  type GraphicLine,
  type PaperAlign,
  type PaperGrid,
  type PaperLine,
  type PaperRun,
  type PaperStyle,
  PaperTicket,
  type PlacedPicture,
} from './paper-ticket.ts'
import { croppedPicture, type Picture } from './picture.ts'

export const PLAIN: PaperStyle = {
  bold: false,
  underline: false,
  inverse: false,
  red: false,
  widthScale: 1,
  heightScale: 1,
}

const TAB_COLUMNS = 8

/** Settings that ESC @ resets. */
export interface Modes {
  style: PaperStyle
  align: PaperAlign
  upsideDown: boolean
  fontB: boolean
  lineSpacingDots: number
  /** Space between characters, at normal width. */
  gapDots: number
  marginDots: number
  /** Width of the print area. Null: to the right edge. */
  areaDots: number | null
  /** Tab stops in columns. Null: every eighth column. */
  tabs: readonly number[] | null
}

/** A graphic without position and colour, which the print head sets. */
export type Graphic = Omit<GraphicLine, 'kind' | 'align' | 'xDots' | 'red'>

export class PrintHead {
  readonly grid: PaperGrid
  readonly decoding: TextDecoding
  readonly tickets: PaperTicket[] = []
  ticket: PaperTicket
  modes: Modes
  readonly #spacingDots: number
  #runs: PaperRun[] = []
  #pictures: PlacedPicture[] = []
  /** Position of the next character, from the left margin. */
  #xDots = 0
  /** Right end of the content of the line. */
  #endDots = 0
  #wrapped = false
  /** In page mode: lines that wait for FF. */
  #page: PaperLine[] | null = null

  constructor(grid: PaperGrid, decoding: TextDecoding, spacingDots: number) {
    this.grid = grid
    this.decoding = decoding
    this.#spacingDots = spacingDots
    this.ticket = new PaperTicket(grid)
    this.modes = this.#initialModes()
  }

  /** Resets the modes to those after power-on and discards unprinted text. */
  initialise(): void {
    this.modes = this.#initialModes()
    this.decoding.reset()
    this.#page = null
    this.#startLine()
  }

  style(change: Partial<PaperStyle>): void {
    this.modes.style = { ...this.modes.style, ...change }
  }

  ignore(name: string): void {
    this.ticket.ignore(name)
  }

  /** The first character of a line fixes its alignment and direction. */
  get isAtLineStart(): boolean {
    return this.#runs.length === 0 && this.#pictures.length === 0
  }

  align(align: PaperAlign): void {
    if (this.isAtLineStart) this.modes.align = align
  }

  upsideDown(on: boolean): void {
    if (this.isAtLineStart) this.modes.upsideDown = on
  }

  /** Sets the line spacing after power-on. */
  defaultSpacing(): void {
    this.modes.lineSpacingDots = this.#spacingDots
  }

  print(bytes: Uint8Array): void {
    for (const character of this.decoding.decode(bytes)) this.#put(character.text, character.columns)
  }

  /** Moves to a position on the line, in dots from the left margin. */
  moveTo(dots: number): void {
    this.#xDots = Math.min(Math.max(0, dots), this.#widthDots())
  }

  moveBy(dots: number): void {
    this.moveTo(this.#xDots + dots)
  }

  tab(): void {
    const { cellWidth } = this.grid
    const column = this.#xDots / cellWidth
    const { tabs } = this.modes
    const next =
      tabs === null ? (Math.floor(column / TAB_COLUMNS) + 1) * TAB_COLUMNS : tabs.find((stop) => stop > column)
    if (next !== undefined) this.moveTo(next * cellWidth)
  }

  /** Adds a picture between the characters of the line. */
  inline(picture: Picture): void {
    const shown = croppedPicture(picture, Math.max(0, this.grid.dots - this.modes.marginDots - this.#xDots))
    this.#pictures.push({ picture: shown, xDots: this.#xDots, red: this.modes.style.red })
    this.#xDots += shown.widthDots * shown.dotWidth
    this.#endDots = Math.max(this.#endDots, this.#xDots)
  }

  /** Prints a picture or code on its own line. */
  block(graphic: Graphic): void {
    this.endLine()
    const { align } = this.modes
    const xDots = this.modes.marginDots + this.#aligned(graphic.widthDots, this.#areaDots(this.grid.dots))
    this.#push({ kind: 'graphic', align, xDots, red: this.modes.style.red, ...graphic })
  }

  picture(picture: Picture): void {
    const shown = croppedPicture(picture, this.grid.dots)
    this.block(rasterGraphic(shown))
  }

  /** Prints the pending text, if there is any. Feeds by the line spacing, or by the height of the line if that is larger. */
  endLine(feedDots = this.modes.lineSpacingDots): void {
    if (!this.isAtLineStart) this.#printLine(feedDots)
  }

  /** Like `endLine`, but also feeds without text. */
  lineFeed(feedDots = this.modes.lineSpacingDots): void {
    this.#printLine(feedDots)
  }

  /** Prints the pending text and feeds by `dots` in total. */
  feed(dots: number): void {
    if (!this.isAtLineStart) this.#printLine(dots)
    else if (dots > 0) this.#push({ kind: 'feed', heightDots: dots })
  }

  feedLines(count: number): void {
    // The first line prints the pending text.
    const blank = this.isAtLineStart ? count : count - 1
    this.endLine()
    if (blank > 0) this.#push({ kind: 'feed', heightDots: blank * this.modes.lineSpacingDots })
  }

  /** Feeds die-cut paper to the next label. No effect on a roll. */
  feedToLabel(): void {
    this.endLine()
    const { labelDots } = this.grid
    const over = labelDots === null ? 0 : this.ticket.heightDots % labelDots
    if (labelDots !== null && over > 0) this.#push({ kind: 'feed', heightDots: labelDots - over })
  }

  cut(how: 'full' | 'partial', feedDots = 0): void {
    this.endLine()
    if (feedDots > 0) this.#push({ kind: 'feed', heightDots: feedDots })
    this.ticket.cut = how
    this.tickets.push(this.ticket)
    this.ticket = new PaperTicket(this.grid)
  }

  /**
   * Enters page mode: printed lines wait for FF. Positions on the page are not simulated; lines are printed in the order in which they were
   * sent.
   */
  enterPage(name: string): void {
    this.endLine()
    this.ignore(name)
    this.#page = []
  }

  printPage(leave: boolean): void {
    if (this.#page === null) return
    this.endLine()
    this.ticket.lines.push(...this.#page)
    this.#page = leave ? null : this.#page
  }

  /** Discards the content of the page. */
  discardPage(leave: boolean): void {
    if (this.#page === null) return
    this.#startLine()
    this.#page = leave ? null : []
  }

  #initialModes(): Modes {
    return {
      style: PLAIN,
      align: 'left',
      upsideDown: false,
      fontB: false,
      lineSpacingDots: this.#spacingDots,
      gapDots: 0,
      marginDots: 0,
      areaDots: null,
      tabs: null,
    }
  }

  #startLine(): void {
    this.#runs = []
    this.#pictures = []
    this.#xDots = 0
    this.#endDots = 0
    this.#wrapped = false
  }

  /** Width for characters in dots: whole columns. */
  #widthDots(): number {
    return this.#areaDots(this.grid.columns * this.grid.cellWidth)
  }

  #areaDots(paperDots: number): number {
    const rest = Math.max(0, paperDots - this.modes.marginDots)
    return Math.min(this.modes.areaDots ?? rest, rest)
  }

  #put(text: string, columns: number): void {
    const { style, gapDots } = this.modes
    const fontB = this.modes.fontB && columns === 1
    const cell = fontB ? this.grid.smallCell : { width: this.grid.cellWidth, height: this.grid.cellHeight }
    const advanceDots = (cell.width * columns + gapDots) * style.widthScale
    if (this.#xDots + advanceDots > this.#widthDots() && this.#xDots > 0) {
      this.endLine()
      this.#wrapped = true
    }
    const heightDots = cell.height * style.heightScale
    const last = this.#runs.at(-1)
    if (last !== undefined && this.#goesOn(last, advanceDots, heightDots)) last.text += text
    else this.#runs.push({ ...style, text, xDots: this.#xDots, advanceDots, heightDots })
    this.#xDots += advanceDots
    this.#endDots = Math.max(this.#endDots, this.#xDots)
  }

  #goesOn(run: PaperRun, advanceDots: number, heightDots: number): boolean {
    if (run.advanceDots !== advanceDots || run.heightDots !== heightDots || !sameStyle(run, this.modes.style))
      return false
    return run.xDots + characters(run.text) * advanceDots === this.#xDots
  }

  #aligned(contentDots: number, withinDots: number): number {
    const free = Math.max(0, withinDots - contentDots)
    const { align } = this.modes
    return align === 'left' ? 0 : align === 'right' ? free : Math.floor(free / 2)
  }

  #printLine(feedDots: number): void {
    const { align, upsideDown, marginDots } = this.modes
    const only = this.#runs.length === 0 && this.#pictures.length === 1 ? this.#pictures[0] : undefined
    const contentDots = Math.max(
      0,
      ...this.#runs.map((run) => run.heightDots),
      ...this.#pictures.map(({ picture }) => picture.heightDots * picture.dotHeight),
    )
    const heightDots = Math.max(feedDots, contentDots)
    // Whole columns if they fill the paper except for a few dots, so that a centred line is aligned with the columns of other lines.
    const { columns, cellWidth, dots } = this.grid
    const text = only === undefined && dots - columns * cellWidth >= cellWidth
    const left = marginDots + this.#aligned(this.#endDots, this.#areaDots(text ? columns * cellWidth : dots))
    if (only !== undefined) {
      this.#push({
        kind: 'graphic',
        align,
        xDots: left + only.xDots,
        red: only.red,
        ...rasterGraphic(only.picture),
        heightDots,
      })
    } else {
      this.#push({
        kind: 'text',
        align,
        upsideDown,
        runs: this.#runs.map((run) => ({ ...run, xDots: run.xDots + left })),
        pictures: this.#pictures.map((placed) => ({ ...placed, xDots: placed.xDots + left })),
        columns: Math.ceil(this.#endDots / cellWidth),
        wrapped: this.#wrapped,
        heightDots,
      })
    }
    this.#startLine()
  }

  #push(line: PaperLine): void {
    ;(this.#page ?? this.ticket.lines).push(line)
  }
}

function rasterGraphic(picture: Picture): Graphic {
  return {
    what: 'raster',
    widthDots: picture.widthDots * picture.dotWidth,
    heightDots: picture.heightDots * picture.dotHeight,
    data: null,
    caption: null,
    drawing: { kind: 'picture', picture },
  }
}

function sameStyle(a: PaperStyle, b: PaperStyle): boolean {
  return (
    a.bold === b.bold &&
    a.underline === b.underline &&
    a.inverse === b.inverse &&
    a.red === b.red &&
    a.widthScale === b.widthScale &&
    a.heightScale === b.heightScale
  )
}
