// One item of a kitchen ticket: quantity, seat, what is left out, notes.
import type { KitchenLine } from '#shared/order.ts'
import { TEXT_LENGTHS } from '#shared/text-lengths.ts'
import { isAllergyModifier } from './allergies.ts'
import { namesAllergy } from './allergy-words.ts'
import {
  hangingLines,
  ledLines,
  length,
  lineWidth,
  type RunStyle,
  type TicketLine,
  type TicketRun,
} from './line-layout.ts'
import { inReadingOrder, type ModifierWords, modifierWords } from './modifier-words.ts'
import { alarmStyle, saysBanner, unframed } from './own-words.ts'
import { paperText, type TicketPaper } from './ticket-paper.ts'

const MAX_MODIFIERS = 60

const BIG: RunStyle = { heightScale: 2 }
const BIG_BOLD: RunStyle = { heightScale: 2, bold: true }
const ALARM: RunStyle = { heightScale: 2, alarm: true, bold: true }
/** Columns before every name, modifier and note. */
const INDENT = 5
/** Before every line of a note, so that a note cannot look like a section of the ticket. */
const NOTE_MARK = '  >  '
const ALLERGY_MARK = '!! ALLERGY: '

/** The lines of one item, none wider than the paper. */
export function itemLines(item: KitchenLine, paper: TicketPaper): TicketLine[] {
  const clean = (text: string) => paperText(paper, text, { maxLength: TEXT_LENGTHS.itemName })
  const modifiers = inReadingOrder(
    item.modifiers.map((modifier) => ({ ...modifierWords(modifier, clean), isAllergy: isAllergyModifier(modifier) })),
  )
  const more = modifiers.length - MAX_MODIFIERS
  return [
    ...nameLines(item, paper),
    ...allergenLines(item, paper),
    ...modifiers.slice(0, MAX_MODIFIERS).flatMap((modifier) => modifierLines(modifier, paper)),
    ...(more > 0 ? markedLines('  +  ', `... and ${more} more: ask!`, { style: BIG_BOLD, paper }) : []),
    ...noteLines(item.note ?? '', paper),
  ]
}

/**
 * The quantity is larger than the name if it is more than one, and always on the same line as its beginning. The seat follows in small
 * letters.
 */
function nameLines(item: KitchenLine, paper: TicketPaper): TicketLine[] {
  const { columns } = paper
  const asNamed =
    paperText(paper, item.name, { maxLength: TEXT_LENGTHS.itemName }) ||
    paperText(paper, item.umsId, { maxLength: TEXT_LENGTHS.itemName }) ||
    '?'
  const isBanner = saysBanner(asNamed)
  const first = [...quantityRuns(item.qty, columns), { ...BIG, text: ' ' }]
  const text = isBanner ? unframed(asNamed) : asNamed
  const lines = ledLines(columns, { first, indent: INDENT, text, style: isBanner ? BIG : BIG_BOLD })
  const last = lines.at(-1)
  if (item.seat === undefined || last === undefined) return lines
  const seat: TicketRun = { text: `  seat ${item.seat}` }
  if (lineWidth(last) + length(seat.text) <= columns)
    return [...lines.slice(0, -1), { ...last, runs: [...last.runs, seat] }]
  return [...lines, { align: 'left', runs: [{ text: `${' '.repeat(INDENT)}${seat.text.trim()}` }] }]
}

function quantityRuns(qty: number, columns: number): TicketRun[] {
  if (qty === 1) return [{ ...BIG, text: ' 1' }]
  const text = String(qty)
  return [{ ...BIG_BOLD, widthScale: text.length * 4 <= columns ? 2 : 1, text }]
}

function allergenLines({ allergens = [] }: KitchenLine, paper: TicketPaper): TicketLine[] {
  const named = allergens.filter((name) => name.trim() !== '').join(', ')
  return named === '' ? [] : warningLines(paperText(paper, named, { maxLength: TEXT_LENGTHS.allergens }), paper)
}

function modifierLines(modifier: ModifierWords & { isAllergy: boolean }, paper: TicketPaper): TicketLine[] {
  const { does, sign, words, isAllergy } = modifier
  if (isAllergy) return warningLines(words === '' ? '' : `${sign} ${words}`.trim(), paper)
  if (words === '') return []
  const isBanner = saysBanner(words)
  const isBold = !isBanner && (does === 'remove' || does === 'instead')
  return markedLines(`  ${sign.padEnd(2)} `, isBanner ? unframed(words) : words, {
    style: isBold ? BIG_BOLD : BIG,
    paper,
  })
}

function noteLines(asSent: string, paper: TicketPaper): TicketLine[] {
  const note = paperText(paper, asSent, { maxLength: TEXT_LENGTHS.note, lineBreaks: true })
  // Also if the printer cannot print the text: then the mark is all that the cook can read.
  if (namesAllergy(asSent) || namesAllergy(note)) return warningLines(note, paper)
  if (note === '') return []
  return hangingLines(paper.columns, {
    first: NOTE_MARK,
    next: NOTE_MARK,
    text: note,
    style: { ...BIG, underline: true },
    prefixStyle: BIG,
  })
}

/**
 * Inverse, unless the text contains the words of one of our banners. Continuation lines have the mark of a note, so that none can look like
 * a banner.
 */
function warningLines(asCleaned: string, paper: TicketPaper): TicketLine[] {
  const text = unframed(asCleaned) || '?'
  return hangingLines(paper.columns, {
    first: ALLERGY_MARK,
    next: NOTE_MARK,
    text,
    style: alarmStyle(text),
    prefixStyle: saysBanner(text) ? BIG_BOLD : ALARM,
    nextStyle: BIG_BOLD,
  })
}

function markedLines(
  first: string,
  text: string,
  { style, paper }: { style: RunStyle; paper: TicketPaper },
): TicketLine[] {
  return hangingLines(paper.columns, { first, text, style })
}
