// The order in which graphemes stand on paper from left to right, when some of them are written from right to left. Pure.
//
// The Unicode Bidirectional Algorithm without explicit embeddings: the sanitiser has removed their control codes. The direction of the
// text is that of its first letter.

const RIGHT =
  /^[\u0591-\u065f\u066d-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const DIGIT = /^\p{Nd}/u
const LETTER = /^[\p{L}\p{Emoji_Presentation}]/u
/** Between two digits they belong to the number: 2.50, 18:02, 1/2. */
const IN_NUMBER = /^[.,:/\u066b\u066c+-]$/u

type Kind = 'left' | 'right' | 'number' | 'neutral'

/** Whether any of the text runs from right to left. */
export function hasRightToLeft(text: string): boolean {
  for (const character of text) if (RIGHT.test(character)) return true
  return false
}

/** A grapheme's place in the text, and whether its neighbours in the text stand to the other side. */
export interface Placed {
  index: number
  isRightToLeft: boolean
}

/** The graphemes from left to right. */
export function visualOrder(graphemes: readonly string[]): Placed[] {
  const kinds = withNumbers(graphemes.map(kindOf), graphemes)
  const base = kinds.find((kind) => kind === 'left' || kind === 'right') === 'right' ? 1 : 0
  const levels = levelsOf(kinds, base)
  const order = levels.map((_, index) => index)
  // Rule L2: from the highest level down, each run of that level or higher is turned round.
  for (let level = Math.max(0, ...levels); level > 0; level--) {
    for (let from = 0; from < order.length; from++) {
      let to = from
      while (to < order.length && (levels[order[to] ?? 0] ?? 0) >= level) to++
      if (to > from) order.splice(from, to - from, ...order.slice(from, to).reverse())
      from = to
    }
  }
  return order.map((index) => ({ index, isRightToLeft: (levels[index] ?? 0) % 2 === 1 }))
}

function kindOf(grapheme: string): Kind {
  if (DIGIT.test(grapheme)) return 'number'
  if (RIGHT.test(grapheme)) return 'right'
  return LETTER.test(grapheme) ? 'left' : 'neutral'
}

function withNumbers(kinds: readonly Kind[], graphemes: readonly string[]): Kind[] {
  return kinds.map((kind, i) => {
    const isInside = kinds[i - 1] === 'number' && kinds[i + 1] === 'number' && IN_NUMBER.test(graphemes[i] ?? '')
    return isInside ? 'number' : kind
  })
}

function levelsOf(kinds: readonly Kind[], base: 0 | 1): number[] {
  const left = base === 0 ? 0 : 2
  let strong: Kind = base === 1 ? 'right' : 'left'
  const levels = kinds.map((kind): number | null => {
    if (kind === 'left' || kind === 'right') strong = kind
    if (kind === 'left') return left
    if (kind === 'right') return 1
    if (kind === 'number') return strong === 'right' ? 2 : left
    return null
  })
  // A neutral takes the direction of both sides when they agree, else that of the text. Numbers count as written from right to left there.
  const sideOf = (level: number | undefined, kind: Kind | undefined): number =>
    level === undefined ? base : kind === 'number' && level === 2 ? 1 : level % 2
  return levels.map((level, i) => {
    if (level !== null) return level
    const before = lastIndex(levels, i)
    const after = levels.findIndex((each, k) => k > i && each !== null)
    const sides = [before, after].map((k) => sideOf(k < 0 ? undefined : (levels[k] ?? 0), kinds[k]))
    if (sides[0] !== sides[1]) return base
    return sides[0] === 1 ? 1 : left
  })
}

function lastIndex(levels: readonly (number | null)[], before: number): number {
  for (let i = before - 1; i >= 0; i--) if (levels[i] !== null) return i
  return -1
}
