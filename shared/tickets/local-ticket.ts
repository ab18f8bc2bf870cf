// Lays out the gateway's own documents: slips to the kitchen, and the technician's test ticket.
import {
  BLANK_LINE,
  barLines,
  hangingLines,
  length,
  type RunStyle,
  ruleLine,
  type TicketLine,
  type TicketSymbol,
  textLines,
} from './line-layout.ts'
import type { LocalDoc } from './local-doc.ts'
import { copyBanners, type TicketMarks } from './ticket-marks.ts'
import { bannerLines, paperText, type TicketPaper } from './ticket-paper.ts'
import { TicketTimes } from './ticket-times.ts'

export interface LocalTicketInput {
  doc: Extract<LocalDoc, { kind: 'slip' | 'test' }>
  printerName: string
  marks: Pick<TicketMarks, 'possibleDuplicate' | 'isReprint'>
  nowMs: number
}

const LIMITS = { title: 120, line: 300, fact: 200, label: 40 } as const
const CODE_STYLE: RunStyle = { widthScale: 2, heightScale: 2, bold: true }
/** One line for each script and kind of sign that kitchens use. Characters that the printer lacks are drawn. */
const SAMPLES: readonly string[] = [
  'áéíóúñ ¿¡ çãõ àèù äöüß åøæ',
  '€ 12.50  ½ ° “quoted” – it’s',
  'Łódź  Čeština  Türkçe ğışİ',
  'Привет  Καλημέρα  שלום  مرحبا',
  '你好  こんにちは  สวัสดี',
]
const BOX: readonly string[] = ['┌──────┬──────┐', '│ box  │ draw │', '└──────┴──────┘']

/** The lines of one slip or test ticket, none wider than the paper. Pure. */
export function localTicketLines(input: LocalTicketInput, paper: TicketPaper): TicketLine[] {
  const { doc, marks, nowMs, printerName } = input
  const times = new TicketTimes(doc.timeZone, nowMs)
  const banners = bannerLines(paper, copyBanners(marks))
  const foot = [paperText(paper, printerName, { maxLength: LIMITS.label }), times.timeWithSeconds()]
  return [
    BLANK_LINE, // the rail's clip covers the top
    ...banners,
    ...(doc.kind === 'slip' ? slipLines(doc, paper) : testLines(doc, paper)),
    ruleLine(paper.columns),
    ...textLines(paper.columns, foot.filter((part) => part !== '').join(' '), {}),
  ]
}

function slipLines(
  { title, lines, qr, footer, ...doc }: Extract<LocalDoc, { kind: 'slip' }>,
  paper: TicketPaper,
): TicketLine[] {
  const { columns } = paper
  const text = (words: string, maxLength: number) => paperText(paper, words, { maxLength })
  const sent = new TicketTimes(doc.timeZone, doc.queuedAtMs).time(doc.queuedAtMs)
  return [
    ...barLines(columns, text(title, LIMITS.title) || 'NOTICE'),
    ...textLines(columns, sent, {}),
    ruleLine(columns),
    ...lines.flatMap((line) =>
      hangingLines(columns, { first: '', next: '  ', text: text(line, LIMITS.line), style: { heightScale: 2 } }),
    ),
    // Left out on a printer that cannot draw it: the lines have the same text.
    ...(qr === undefined ? [] : qrLines(qr, paper)),
    ...(footer === undefined
      ? []
      : [ruleLine(columns), ...textLines(columns, text(footer, LIMITS.line), { bold: true })]),
  ]
}

function qrLines(data: string, paper: TicketPaper): TicketLine[] {
  const symbol: TicketSymbol = { what: 'qr', data }
  return paper.draws(symbol) ? [BLANK_LINE, { align: 'center', runs: [], symbol }] : []
}

function testLines({ code, facts }: Extract<LocalDoc, { kind: 'test' }>, paper: TicketPaper): TicketLine[] {
  const { columns } = paper
  const plain = (words: string): TicketLine[] => [{ align: 'left', runs: [{ text: words }] }]
  const fact = (words: string) => paperText(paper, words, { maxLength: LIMITS.fact })
  return [
    ...barLines(columns, 'TEST TICKET'),
    ...textLines(columns, 'Type in this code where you asked for the ticket:', {}),
    { align: 'center', runs: [{ ...CODE_STYLE, text: code }] },
    ruleLine(columns),
    // The last character is at the edge. If it is on a line of its own, the paper has fewer columns.
    ...plain(rulerText(columns)),
    ...textLines(columns, `${columns} columns`, {}),
    ...styleLines(columns),
    ...SAMPLES.flatMap((sample) => textLines(columns, paperText(paper, sample, { maxLength: LIMITS.fact }), {})),
    ...BOX.flatMap((row) => plain(paperText(paper, row, { maxLength: LIMITS.fact, keepSpaces: true }))),
    ...(facts.length === 0 ? [] : [ruleLine(columns)]),
    ...facts.flatMap((words) => hangingLines(columns, { first: '', next: '  ', text: fact(words) })),
  ]
}

/** `....:....1....:....2`, as wide as the paper. */
function rulerText(columns: number): string {
  return Array.from({ length: columns }, (_, index) => {
    const column = index + 1
    if (column % 10 === 0) return String((column / 10) % 10)
    return column % 5 === 0 ? ':' : '.'
  }).join('')
}

function styleLines(columns: number): TicketLine[] {
  const styles: readonly [string, RunStyle][] = [
    ['bold', { bold: true }],
    ['underlined', { underline: true }],
    ['tall', { heightScale: 2 }],
    ['wide', { widthScale: 2 }],
    ['tall and wide', { heightScale: 2, widthScale: 2 }],
    ['alarm: inverse or red', { alarm: true, bold: true }],
  ]
  return styles
    .filter(([text, { widthScale = 1 }]) => length(text) * widthScale <= columns)
    .map(([text, style]) => ({ align: 'left', runs: [{ ...style, text }] }))
}
