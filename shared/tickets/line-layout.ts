// Lines of a ticket: styled runs, wrapped so that no line is wider than the paper.
import type { Bitmap } from './bitmap.ts'
import { displayWidth } from './display-width.ts'
import { wrapText } from './wrap-text.ts'

export interface TicketRun {
  /** Printable text (TicketPaper.printable): as many columns as its display width, times `widthScale`. */
  text: string
  bold?: boolean
  underline?: boolean
  /** White on black on thermal paper, red on printers with two colours. */
  alarm?: boolean
  widthScale?: 1 | 2
  heightScale?: 1 | 2
  /** Part of a paragraph whose first letter is Hebrew or Arabic, whatever this line begins with. */
  isRightToLeft?: true
}

export type RunStyle = Omit<TicketRun, 'text' | 'isRightToLeft'>

/** A code that the printer draws. */
export interface TicketSymbol {
  what: 'qr' | 'barcode'
  data: string
}

export interface TicketLine {
  align: 'left' | 'center' | 'right'
  runs: readonly TicketRun[]
  /** Drawn instead of text. */
  symbol?: TicketSymbol
  /** A picture instead of text: a logo, or text that was drawn. The runs of drawn text stay: they tell what it says, and its colour. */
  bitmap?: Bitmap
}

/** Columns that a line takes. */
export function lineWidth(line: TicketLine): number {
  return line.runs.reduce((sum, run) => sum + length(run.text) * (run.widthScale ?? 1), 0)
}

/** 2 when any run is double height. */
export function lineHeight(line: TicketLine): 1 | 2 {
  return line.runs.some((run) => run.heightScale === 2) ? 2 : 1
}

/** Columns that a text takes at normal width. */
export function length(text: string): number {
  return displayWidth(text)
}

export interface HangingText {
  /** Stands before the first line and never parts from it. */
  first: string
  /** Stands before each further line. Default: spaces as wide as `first`. */
  next?: string
  text: string
  style?: RunStyle
  /** Style of `first` and `next`, when it differs. */
  prefixStyle?: RunStyle
  /** Style of `next`, when it differs from that. */
  nextStyle?: RunStyle
}

/** Text behind a prefix, wrapped to `columns`. The prefix must leave room for text. */
export function hangingLines(columns: number, content: HangingText): TicketLine[] {
  const next = content.next ?? ' '.repeat(length(content.first))
  const scale = content.style?.widthScale ?? 1
  const width = Math.max(1, Math.floor(columns / scale) - Math.max(length(content.first), length(next)))
  return wrappedRuns(content.text, width).map((run, i) => {
    const prefix = i === 0 ? content.first : next
    const firstStyle = content.prefixStyle ?? content.style
    const prefixStyle = i === 0 ? firstStyle : (content.nextStyle ?? firstStyle)
    const runs = [
      { ...prefixStyle, text: prefix },
      { ...content.style, ...run },
    ]
    return { align: 'left', runs: runs.filter((run) => run.text !== '') }
  })
}

export interface LedText {
  /** What stands before the first line, in styles of its own; it never parts from the text. */
  first: readonly TicketRun[]
  /** Columns before the text of every line; more when `first` needs them. */
  indent: number
  text: string
  style?: RunStyle
}

/** Text behind a lead of other size: `3  Cheeseburger`, the number large. */
export function ledLines(columns: number, { first, indent, text, style = {} }: LedText): TicketLine[] {
  const lead = first.reduce((sum, run) => sum + length(run.text) * (run.widthScale ?? 1), 0)
  const start = Math.max(indent, lead)
  const width = Math.max(1, Math.floor((columns - start) / (style.widthScale ?? 1)))
  return wrappedRuns(text, width).map((run, i) => {
    const before = i === 0 ? [...first, gap(start - lead, style)] : [gap(start, style)]
    return { align: 'left', runs: [...before, { ...style, ...run }].filter((each) => each.text !== '') }
  })
}

function gap(columns: number, { heightScale }: RunStyle): TicketRun {
  return { text: ' '.repeat(columns), ...(heightScale === undefined ? {} : { heightScale }) }
}

/** Text in a frame as wide as the paper, with a title in its upper edge. `title` is ours, without foreign text. */
export function frameLines(
  columns: number,
  { title, text, style = {} }: { title: string; text: string; style?: RunStyle },
): TicketLine[] {
  const edge = (words: string): TicketLine => ({
    align: 'left',
    runs: [{ text: `+${words}${'-'.repeat(Math.max(0, columns - 2 - length(words)))}+` }],
  })
  const { heightScale } = style
  const side = (bar: string): TicketRun => ({ text: bar, ...(heightScale === undefined ? {} : { heightScale }) })
  const width = columns - 4
  const rows = wrappedRuns(text, width).map((run): TicketLine => {
    const rest = ' '.repeat(Math.max(0, width - length(run.text)))
    return {
      align: 'left',
      runs: [side('| '), { ...style, ...run }, side(`${rest} |`)].filter((each) => each.text !== ''),
    }
  })
  return [edge(`- ${title} `), ...rows, edge('')]
}

/** A heading in a line of hyphens: `----- COURSE 2 -----`, twice as high. */
export function headingLine(columns: number, title: string): TicketLine {
  const words = ` ${title} `
  const left = Math.max(0, Math.floor((columns - length(words)) / 2))
  const right = Math.max(0, columns - length(words) - left)
  return {
    align: 'left',
    runs: [{ text: '-'.repeat(left) }, { text: words, bold: true, heightScale: 2 }, { text: '-'.repeat(right) }].filter(
      (run) => run.text !== '',
    ) as TicketRun[],
  }
}

/** Text alone, wrapped to `columns` at the style's width. */
export function textLines(
  columns: number,
  text: string,
  style: RunStyle & { align?: TicketLine['align'] },
): TicketLine[] {
  const { align = 'left', ...run } = style
  return wrappedRuns(text, Math.floor(columns / (run.widthScale ?? 1))).map((part) => ({
    align,
    runs: part.text === '' ? [] : [{ ...run, ...part }],
  }))
}

const BEGINS_RIGHT = /^\P{L}*[\u05d0-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u

/** The text in lines, each of which knows the direction of its paragraph. */
function wrappedRuns(text: string, width: number): Pick<TicketRun, 'text' | 'isRightToLeft'>[] {
  return text.split('\n').flatMap((paragraph) => {
    const direction = BEGINS_RIGHT.test(paragraph) ? ({ isRightToLeft: true } as const) : {}
    return wrapText(paragraph, width).map((line) => ({ text: line, ...direction }))
  })
}

/** A bar over the whole width, text in its middle: double width where it fits on one line, else normal width; twice as high unless `small`. */
export function barLines(columns: number, text: string, { small = false } = {}): TicketLine[] {
  const widthScale = !small && length(text) * 2 <= columns ? 2 : 1
  const width = Math.floor(columns / widthScale)
  return wrapText(text, width).map((part) => {
    const left = Math.floor((width - length(part)) / 2)
    const padded = ' '.repeat(left) + part + ' '.repeat(width - length(part) - left)
    return { align: 'left', runs: [{ text: padded, bold: true, alarm: true, widthScale, heightScale: small ? 1 : 2 }] }
  })
}

/** A line of hyphens. */
export function ruleLine(columns: number): TicketLine {
  return { align: 'left', runs: [{ text: '-'.repeat(columns) }] }
}

export const BLANK_LINE: TicketLine = { align: 'left', runs: [] }
