// Lays out the label of one piece of an order: whose it is, what it is, what was said about it. Allergies come first.
import type { KitchenLine, KitchenOrder } from '#shared/order.ts'
import { TEXT_LENGTHS } from '#shared/text-lengths.ts'
import { isAllergyModifier } from './allergies.ts'
import { namesAllergy } from './allergy-words.ts'
import { LONGEST_GUEST, maskedGuest } from './guest-name.ts'
import { barLines, hangingLines, length, type RunStyle, type TicketLine, textLines } from './line-layout.ts'
import { inReadingOrder, type ModifierWords, modifierWords } from './modifier-words.ts'
import { orderNumber } from './order-number.ts'
import { copyMark, duplicateMarks, type TicketMarks, testMarks } from './ticket-marks.ts'
import { paperText, type TicketPaper } from './ticket-paper.ts'
import { TicketTimes } from './ticket-times.ts'

export interface LabelTicketInput {
  order: KitchenOrder
  item: KitchenLine
  /** Which of the pieces of this line; absent: the label is of all of them. */
  piece?: { n: number; of: number }
  copy?: { n: number; of: number }
  marks: Pick<TicketMarks, 'possibleDuplicate' | 'isReprint' | 'isTest'>
  nowMs: number
}

const BIG_BOLD: RunStyle = { heightScale: 2, bold: true }
const ALARM: RunStyle = { alarm: true, bold: true }
/** With more of them the smallest label would have no room left for the name. */
const MOST_WARNING_LINES_FIRST = 2

/** The lines of one label, none wider than the paper; label-height.ts cuts them to the height. What may hurt somebody stands before the name, and where that would leave no room for the name, after one line of it. Banners are small: a label without its name helps nobody. Pure. */
export function labelTicketLines(input: LabelTicketInput, paper: TicketPaper): TicketLine[] {
  const { order, item, marks, copy } = input
  const { columns } = paper
  const text = (words: string, maxLength: number) => paperText(paper, words, { maxLength })
  const name = text(item.name, TEXT_LENGTHS.itemName) || text(item.umsId, TEXT_LENGTHS.itemName) || '?'
  const quantity = input.piece === undefined && item.qty > 1 ? `${item.qty} x ` : ''
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
  // Whole, however long: what must not be eaten may stand anywhere in it. What is said of the whole order is for everybody.
  const told = (words: string) => (words.trim() === '' ? '' : text(words, TEXT_LENGTHS.allergens) || '?')
  const ofOrder = [
    told((order.allergens ?? []).join(', ')),
    namesAllergy(order.note ?? '') ? told(order.note ?? '') : '',
  ]
  const ofList = told((item.allergens ?? []).join(', '))
  const ofModifiers = modifiers.filter((modifier) => modifier.isWarning).map(({ words }) => words || '?')
  const ofNote = isWarning ? told(item.note ?? '') : ''
  const said = new Set([...ofOrder, ofList, ...ofModifiers, ofNote])
  const warnings = [...said].filter((words) => words !== '')
  const nameLines = hangingLines(columns, { first: quantity, text: name, style: BIG_BOLD })
  const wordLines = warnings.flatMap((words) => hangingLines(columns, { first: '', text: words, style: ALARM }))
  const isLong = wordLines.length > MOST_WARNING_LINES_FIRST
  const firstOfName = textLines(columns, `${quantity}${name}`, BIG_BOLD).slice(0, 1)
  return [
    ...[...testMarks(marks), ...duplicateMarks(marks), ...copyMark(copy)].flatMap((words) =>
      barLines(columns, words, { small: true }),
    ),
    ...headLines(input, paper),
    ...(isLong ? firstOfName : []),
    ...(wordLines.length === 0 ? [] : barLines(columns, '!! ALLERGY !!', { small: isLong })),
    ...wordLines,
    ...(isLong && nameLines.length === 1 ? [] : nameLines),
    ...modifiers.flatMap((each) => (each.isWarning || each.words === '' ? [] : modifierLines(columns, each))),
    ...(isWarning || note === '' ? [] : hangingLines(columns, { first: '> ', text: note })),
    ...footLines(order, paper, input.nowMs),
  ]
}

/** `#42  Ana L.` and which piece it is, on the right. */
function headLines({ order, piece }: LabelTicketInput, paper: TicketPaper): TicketLine[] {
  const number = `#${paperText(paper, orderNumber(order), { maxLength: TEXT_LENGTHS.orderId })}`
  const guest = paperText(paper, maskedGuest(order.customer?.name ?? ''), { maxLength: LONGEST_GUEST })
  const right = piece === undefined || piece.of === 1 ? '' : `${piece.n}/${piece.of}`
  const left = [number, guest].filter((part) => part !== '').join('  ')
  const gap = paper.columns - length(left) - length(right)
  if (gap >= 1)
    return [{ align: 'left', runs: [{ ...BIG_BOLD, text: right === '' ? left : left + ' '.repeat(gap) + right }] }]
  return textLines(paper.columns, [left, right].filter((part) => part !== '').join('  '), BIG_BOLD)
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
