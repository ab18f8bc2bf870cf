// Lines of a ticket as styled runs, wrapped to the width of the paper.
import type { Bitmap } from './bitmap.ts'
import { displayWidth } from './display-width.ts'
import { wrapText } from './wrap-text.ts'

export interface TicketRun {
  /** Printable text (TicketPaper.printable). It takes its display width in columns, times `widthScale`. */
  text: string
  bold?: boolean
  underline?: boolean
  /** White on black on thermal paper, red on printers with two colours. */
  alarm?: boolean
  widthScale?: 1 | 2
  heightScale?: 1 | 2
  /** True for all lines of a paragraph whose first letter is Hebrew or Arabic. */
  isRightToLeft?: true
}

export type RunStyle = Omit<TicketRun, 'text' | 'isRightToLeft'>

/** A QR code or barcode that the printer draws. */
export interface TicketSymbol {
  what: 'qr' | 'barcode'
  data: string
}

export interface TicketLine {
  align: 'left' | 'center' | 'right'
  runs: readonly TicketRun[]
  /** Drawn instead of text. */
  symbol?: TicketSymbol
  /** A picture instead of text: a logo, or drawn text. The runs of drawn text stay, since they have its words and colour. */
  bitmap?: Bitmap
}

/** Width of a line in columns. */
export function lineWidth(line: TicketLine): number {
  return line.runs.reduce((sum, run) => sum + length(run.text) * (run.widthScale ?? 1), 0)
}

/** 2 if any run is double height. */
export function lineHeight(line: TicketLine): 1 | 2 {
  return line.runs.some((run) => run.heightScale === 2) ? 2 : 1
}

/** Width of a text in columns, at normal width. */
export function length(text: string): number {
  return displayWidth(text)
}

export interface HangingText {
  /** Printed before the first line, never separated from it. */
  first: string
  /** Printed before each further line. Default: spaces as wide as `first`. */
  next?: string
  text: string
  style?: RunStyle
  /** Style of `first` and `next`, if different from the text. */
  prefixStyle?: RunStyle
  /** Style of `next`, if different from `first`. */
  nextStyle?: RunStyle
}

/** Text after a prefix, wrapped to `columns`. The prefix must leave room for text. */
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
  /** Printed before the first line in its own styles, never separated from the text. */
  first: readonly TicketRun[]
  /** Columns before the text of every line; more if `first` needs them. */
  indent: number
  text: string
  style?: RunStyle
}

/** Text after a lead of another size: `3  Cheeseburger`, with a large number. */
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

/** Text in a frame as wide as the paper, with a title in the upper edge. `title` must be our own text. */
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

/** A heading in a line of hyphens: `----- COURSE 2 -----`, double height. */
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

/** Text wrapped to `columns` at the width of its style. */
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

/** The lines of a text, each with the direction of its paragraph. */
function wrappedRuns(text: string, width: number): Pick<TicketRun, 'text' | 'isRightToLeft'>[] {
  return text.split('\n').flatMap((paragraph) => {
    const direction = BEGINS_RIGHT.test(paragraph) ? ({ isRightToLeft: true } as const) : {}
    return wrapText(paragraph, width).map((line) => ({ text: line, ...direction }))
  })
}

/**
 * A bar as wide as the paper with the text in the middle. Double width if it fits one line, otherwise normal width; double height unless
 * `small`.
 */
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
