// What a label says of allergies: of the whole order first, then of its own line; and the same in fewer words where they do not fit. Pure.
import type { KitchenLine, KitchenOrder } from '#shared/order.ts'
import { TEXT_LENGTHS } from '#shared/text-lengths.ts'
import { namesAllergy } from './allergy-words.ts'
import { graphemes } from './display-width.ts'
import { paperText, type TicketPaper } from './ticket-paper.ts'

/** Ready for paper. */
export interface LabelWarning {
  text: string
  /** What may be left out one by one: the allergens of a list; one part of any other text. */
  parts: readonly string[]
}

export interface WarnedOf {
  order: Pick<KitchenOrder, 'allergens' | 'note'>
  item: Pick<KitchenLine, 'allergens'>
  /** Modifiers of the line that name an allergy, ready for paper. */
  ofModifiers: readonly string[]
  /** As it was sent; empty: it names none. */
  ofNote: string
}

const PREFIX = '!! ALLERGY: '
/** The largest label has room for less. */
const MOST_LETTERS = 600
const FEWER_LETTERS = 6
/** When there is no room for a single allergy. */
export const FEWEST_WORDS = '!! ALLERGY: ask!'

/** Whole, however long: what must not be eaten may stand anywhere in it. What is said twice stands once. */
export function labelWarnings({ order, item, ofModifiers, ofNote }: WarnedOf, paper: TicketPaper): LabelWarning[] {
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

/** `!! ALLERGY: peanuts, milk / no shellfish`; empty without warnings. */
export function inOneText(warnings: readonly LabelWarning[]): string {
  const parts = partsOf(warnings)
  return parts.length === 0 ? '' : PREFIX + parts.map(joined).join('')
}

/** The same in fewer words, the longest first: each says how many allergies it leaves out, or that the last one is not whole. */
export function* shortened(warnings: readonly LabelWarning[]): Generator<string> {
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

/** What is said twice, once. */
function partsOf(warnings: readonly LabelWarning[]): Part[] {
  const parts = warnings.flatMap(({ parts }) => parts.map((text, i) => ({ text, isOfSameList: i > 0 })))
  const seen = new Set<string>()
  return parts.filter(({ text }) => !seen.has(text) && seen.add(text))
}
