// Lays out the label of one piece of an order: guest, dish, modifiers, notes. Allergies come first.
import type { KitchenLine, KitchenOrder } from '#shared/order.ts'
import { TEXT_LENGTHS } from '#shared/text-lengths.ts'
import { isAllergyModifier } from './allergies.ts'
import { namesAllergy } from './allergy-words.ts'
import { graphemes } from './display-width.ts'
import { LONGEST_GUEST, maskedGuest } from './guest-name.ts'
import { ELLIPSIS } from './label-height.ts'
import { barLines, hangingLines, length, type RunStyle, type TicketLine, textLines } from './line-layout.ts'
import { inReadingOrder, type ModifierWords, modifierWords } from './modifier-words.ts'
import { orderNumber } from './order-number.ts'
import { copyMark, duplicateMarks, type TicketMarks, testMarks } from './ticket-marks.ts'
import { paperText, type TicketPaper } from './ticket-paper.ts'
import { TicketTimes } from './ticket-times.ts'

export interface LabelTicketInput {
  order: KitchenOrder
  item: KitchenLine
  /** Which piece of the line this is. Absent: the label is for all pieces. */
  piece?: { n: number; of: number }
  copy?: { n: number; of: number }
  marks: Pick<TicketMarks, 'possibleDuplicate' | 'isReprint' | 'isTest'>
  nowMs: number
}

const BIG_BOLD: RunStyle = { heightScale: 2, bold: true }
const BOLD: RunStyle = { bold: true }
const ALARM: RunStyle = { alarm: true, bold: true }
const BAR = '!! ALLERGY !!'

/** The texts of a label, ready for paper. */
interface LabelWords {
  marks: readonly string[]
  quantity: string
  name: string
  warnings: readonly LabelWarning[]
}

/**
 * The lines of one label, none wider than the paper. Number, name and allergies have priority. On a die-cut label, if they do not fit, they
 * are printed smaller, then the name is cut, then allergies are left out and counted. label-height.ts cuts the rest. Pure.
 */
export function labelTicketLines(input: LabelTicketInput, paper: TicketPaper): TicketLine[] {
  const { order, item, marks, copy } = input
  const { columns } = paper
  const text = (words: string, maxLength: number) => paperText(paper, words, { maxLength })
  const name = text(item.name, TEXT_LENGTHS.itemName) || text(item.umsId, TEXT_LENGTHS.itemName) || '?'
  const modifiers = inReadingOrder(
    item.modifiers.map((modifier) => ({
      ...modifierWords(modifier, (words) =>
        text(words, isAllergyModifier(modifier) ? TEXT_LENGTHS.allergens : TEXT_LENGTHS.itemName),
      ),
      isWarning: isAllergyModifier(modifier),
    })),
  )
  const note = text(item.note ?? '', TEXT_LENGTHS.note)
  const isWarning = namesAllergy(item.note ?? '') || namesAllergy(note)
  const ofModifiers = modifiers.filter((modifier) => modifier.isWarning).map(({ words }) => words)
  const words: LabelWords = {
    marks: [...testMarks(marks), ...duplicateMarks(marks), ...copyMark(copy)],
    quantity: input.piece === undefined && item.qty > 1 ? `${item.qty} x ` : '',
    name,
    warnings: labelWarnings({ order, item, ofModifiers, ofNote: isWarning ? (item.note ?? '') : '' }, paper),
  }
  return [
    ...essentialLines(input, words, paper),
    ...modifiers.flatMap((each) => (each.isWarning || each.words === '' ? [] : modifierLines(columns, each))),
    ...(isWarning || note === '' ? [] : hangingLines(columns, { first: '> ', text: note })),
    ...footLines(order, paper, input.nowMs),
  ]
}

/** As large as the label allows. */
function essentialLines(input: LabelTicketInput, words: LabelWords, paper: TicketPaper): TicketLine[] {
  const { columns, fits } = paper
  const large = [
    ...words.marks.flatMap((mark) => barLines(columns, mark, { small: true })),
    ...headLines(input, paper, BIG_BOLD),
  ]
  const nameLines = (style: RunStyle) =>
    hangingLines(wrapColumns(paper), { first: words.quantity, text: words.name, style })
  const warningLines = words.warnings.flatMap(({ text }) => textLines(wrapColumns(paper), text, ALARM))
  const bar = (small: boolean) => (warningLines.length === 0 ? [] : barLines(columns, BAR, { small }))
  const spacious = [...large, ...bar(false), ...warningLines, ...nameLines(BIG_BOLD)]
  if (fits === undefined || fits(spacious)) return spacious
  const inFull = warnedOf(inOneText(words.warnings), paper)
  const smaller = [
    [...large, ...bar(true), ...warningLines, ...nameLines(BIG_BOLD)],
    [...large, ...nameLines(BIG_BOLD), ...inFull],
    [...large, ...nameLines(BOLD), ...inFull],
  ]
  return smaller.find(fits) ?? smallestLines(input, words, { ...paper, fits })
}

/** Everything in small letters: the full name if it fits with every allergy, otherwise one line of it and as many allergies as fit. */
function smallestLines(
  input: LabelTicketInput,
  { marks, quantity, name, warnings }: LabelWords,
  paper: TicketPaper & Required<Pick<TicketPaper, 'fits'>>,
): TicketLine[] {
  const width = wrapColumns(paper)
  const head = [
    ...textLines(paper.columns, marks.map((mark) => mark.replace(/^\*+ | \*+$/g, '')).join(' '), ALARM),
    ...headLines(input, paper, BOLD).slice(0, 1),
  ].filter(({ runs }) => runs.length > 0)
  const ofName = hangingLines(width, { first: quantity, text: name, style: BOLD })
  const inFull = warnedOf(inOneText(warnings), paper)
  for (let kept = ofName.length; kept >= 1; kept--) {
    const lines = [...head, ...firstLines(ofName, kept), ...inFull]
    if (paper.fits(lines)) return lines
  }
  const before = [...head, ...firstLines(ofName, 1)]
  if (warnings.length === 0) return before
  for (const words of shortened(warnings)) {
    const lines = [...before, ...warnedOf(words, paper)]
    if (paper.fits(lines)) return lines
  }
  return [...before, ...warnedOf(FEWEST_WORDS, paper)]
}

function warnedOf(words: string, paper: TicketPaper): TicketLine[] {
  return words === '' ? [] : textLines(wrapColumns(paper), words, ALARM)
}

/** On a die-cut label, reserves room for the dots of label-height.ts, so that they never replace the end of an allergy. */
function wrapColumns({ columns, fits }: TicketPaper): number {
  return fits === undefined ? columns : columns - ELLIPSIS.length
}

function firstLines(lines: readonly TicketLine[], count: number): TicketLine[] {
  if (count >= lines.length) return [...lines]
  return lines.slice(0, count).map((line, i) => (i === count - 1 ? withDots(line) : line))
}

function withDots({ runs, ...line }: TicketLine): TicketLine {
  return { ...line, runs: runs.map((run, i) => (i === runs.length - 1 ? { ...run, text: run.text + ELLIPSIS } : run)) }
}

/** `#42  Ana L.` with the number of the piece on the right. In small letters the guest's name is cut to keep one line. */
function headLines({ order, piece }: LabelTicketInput, paper: TicketPaper, style: RunStyle): TicketLine[] {
  const number = `#${paperText(paper, orderNumber(order), { maxLength: TEXT_LENGTHS.orderId })}`
  const guest = paperText(paper, maskedGuest(order.customer?.name ?? ''), { maxLength: LONGEST_GUEST })
  const right = piece === undefined || piece.of === 1 ? '' : `${piece.n}/${piece.of}`
  const whole = [number, guest].filter((part) => part !== '').join('  ')
  const room = paper.columns - (right === '' ? 0 : length(right) + 1)
  const left = style.heightScale === 2 || length(whole) <= room ? whole : number
  if (length(left) > room)
    return textLines(paper.columns, [left, right].filter((part) => part !== '').join('  '), style)
  const gap = paper.columns - length(left) - length(right)
  return [{ align: 'left', runs: [{ ...style, text: right === '' ? left : left + ' '.repeat(gap) + right }] }]
}

function modifierLines(columns: number, { does, sign, words }: ModifierWords): TicketLine[] {
  return hangingLines(columns, {
    first: sign === '' ? '' : `${sign} `,
    text: words,
    style: { bold: does === 'remove' || does === 'instead' },
  })
}

function footLines(order: KitchenOrder, paper: TicketPaper, nowMs: number): TicketLine[] {
  const source = paperText(paper, order.source, { maxLength: TEXT_LENGTHS.source })
  const time = new TicketTimes(order.timeZone, nowMs).time(order.readyByMs ?? order.queuedAtMs)
  return textLines(paper.columns, [time, source].filter((part) => part !== '').join(' '), {})
}

// The allergies on a label: of the whole order first, then of its own line; shortened if they do not fit. Pure.

/** Ready for paper. */
interface LabelWarning {
  text: string
  /** The parts that can be left out one by one: each allergen of a list; any other text is one part. */
  parts: readonly string[]
}

interface WarnedOf {
  order: Pick<KitchenOrder, 'allergens' | 'note'>
  item: Pick<KitchenLine, 'allergens'>
  /** Modifiers of the line that mention an allergy, ready for paper. */
  ofModifiers: readonly string[]
  /** As the client sent it. Empty if it mentions no allergy. */
  ofNote: string
}

const PREFIX = '!! ALLERGY: '
/** More than fits the largest label. */
const MOST_LETTERS = 600
const FEWER_LETTERS = 6
/** Used if there is no room for a single allergy. */
const FEWEST_WORDS = '!! ALLERGY: ask!'

/** Not shortened: the allergen may be anywhere in the text. Duplicates are removed. */
function labelWarnings({ order, item, ofModifiers, ofNote }: WarnedOf, paper: TicketPaper): LabelWarning[] {
  const clean = (words: string) => paperText(paper, words, { maxLength: TEXT_LENGTHS.allergens }) || '?'
  const told = (words: string) => (words.trim() === '' ? [] : [{ text: clean(words), parts: [clean(words)] }])
  const listed = (allergens: readonly string[] = []) => {
    const parts = allergens.filter((name) => name.trim() !== '').map(clean)
    return parts.length === 0 ? [] : [{ text: clean(parts.join(', ')), parts }]
  }
  const found: LabelWarning[] = [
    ...listed(order.allergens),
    ...(namesAllergy(order.note ?? '') ? told(order.note ?? '') : []),
    ...listed(item.allergens),
    ...ofModifiers.map((words) => ({ text: words || '?', parts: [words || '?'] })),
    ...told(ofNote),
  ]
  return [...new Map(found.map((warning) => [warning.text, warning])).values()]
}

/** `!! ALLERGY: peanuts, milk / no shellfish`. Empty without warnings. */
function inOneText(warnings: readonly LabelWarning[]): string {
  const parts = partsOf(warnings)
  return parts.length === 0 ? '' : PREFIX + parts.map(joined).join('')
}

/** Shorter versions, the longest first. Each has the number of allergies that it leaves out, or a mark that the last one is cut. */
function* shortened(warnings: readonly LabelWarning[]): Generator<string> {
  const parts = partsOf(warnings)
  for (let kept = parts.length - 1; kept >= 1; kept--)
    yield `${PREFIX}${parts.slice(0, kept).map(joined).join('')} +${parts.length - kept} more: ask!`
  const letters = graphemes(parts[0]?.text ?? '').map(({ text }) => text)
  for (let kept = Math.min(letters.length - 1, MOST_LETTERS); kept >= 1; kept -= FEWER_LETTERS)
    yield `${PREFIX}${letters.slice(0, kept).join('').trimEnd()}... more: ask!`
}

interface Part {
  text: string
  isOfSameList: boolean
}

function joined({ text, isOfSameList }: Part, i: number): string {
  if (i === 0) return text
  return (isOfSameList ? ', ' : ' / ') + text
}

/** Without duplicates. */
function partsOf(warnings: readonly LabelWarning[]): Part[] {
  const parts = warnings.flatMap(({ parts }) => parts.map((text, i) => ({ text, isOfSameList: i > 0 })))
  const seen = new Set<string>()
  return parts.filter(({ text }) => !seen.has(text) && seen.add(text))
}
