// What a caller chose at "which one?": by a name, a part of one, "the second", "one of each". Pure.
import type { Clause } from './order-clauses.ts'
import type { DraftQuestion } from './order-taker.ts'
import { type MenuEntry, stem, type VoiceMenu, wordsOf } from './voice-menu.ts'

const ORDINALS: Readonly<Record<string, number>> = {
  ...{ first: 0, second: 1, third: 2, fourth: 3, last: -1, primero: 0, primera: 0, segundo: 1, segunda: 1 },
  ...{ tercero: 2, tercera: 2, cuarto: 3, cuarta: 3, ultimo: -1, ultima: -1 },
}
const EACH = new Set(['each', 'cada'])

export interface Choice {
  umsId: string
  /** Null: all pieces that are asked about. */
  qty: number | null
}

interface Asked {
  question: DraftQuestion
  /** The first one: it was asked just now. */
  isFirst: boolean
  /** Pieces that are not chosen yet. */
  left: number
}

/**
 * @param words of the clause, without fillers
 * @returns empty: the clause is no answer to this question
 */
export function choicesOf(
  { qty, tokens }: Clause,
  { words, menu }: { words: readonly string[]; menu: VoiceMenu },
  { question: { candidates }, isFirst, left }: Asked,
): Choice[] {
  const ids = new Set(candidates.map(({ umsId }) => umsId))
  const said = tokens.find((token) => typeof token === 'object' && ids.has(token.umsId)) as MenuEntry | undefined
  const heard =
    said?.umsId ?? amongOnly(words, ids, menu) ?? (isFirst ? byOrdinal(tokens, { words, candidates }) : undefined)
  if (heard !== undefined) return [{ umsId: heard, qty }]
  const isEach = isFirst && words.some((word) => EACH.has(word)) && candidates.length <= left
  return isEach ? candidates.map(({ umsId }) => ({ umsId, qty: qty ?? 1 })) : []
}

function byOrdinal(
  tokens: Clause['tokens'],
  { words, candidates }: { words: readonly string[]; candidates: DraftQuestion['candidates'] },
): string | undefined {
  const isAlone = words.every((word) => ORDINALS[word] !== undefined)
  const said = tokens.find((token) => typeof token === 'string' && ORDINALS[token] !== undefined)
  const index = isAlone && typeof said === 'string' ? ORDINALS[said] : undefined
  return index === undefined ? undefined : candidates.at(index)?.umsId
}

/** The one of these that the words name, unless they name something else as well: `large fries` is no large coke. */
function amongOnly(words: readonly string[], ids: ReadonlySet<string>, menu: VoiceMenu): string | undefined {
  const heard = menu.find(words, 'item', ids)
  if (heard?.candidates.length !== 1) return undefined
  const own = new Set(wordsOf(heard.entry.name).map(stem))
  const others = words.filter((word) => !own.has(stem(word)))
  const isOther = heard.exact > 0 && menu.find(others, 'item')?.exact === 1
  const best = menu.find(words, 'item')
  return isOther || (best !== null && best.covered > heard.covered) ? undefined : heard.entry.umsId
}
