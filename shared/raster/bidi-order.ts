// The order in which graphemes stand on paper from left to right, when some of them are written from right to left. Pure.
//
// The Unicode Bidirectional Algorithm (UAX 9) without explicit embeddings: the sanitiser has removed their control codes.

/** As in UAX 9, but each grapheme counts by its first character, and all neutral ones are `ON`. */
type BidiClass = 'L' | 'R' | 'AL' | 'EN' | 'AN' | 'ES' | 'ET' | 'CS' | 'ON'
type Direction = 'L' | 'R'

const CLASSES: readonly (readonly [RegExp, BidiClass])[] = [
  [/^[\u0660-\u0669\u066b\u066c\u06dd]/, 'AN'],
  [/^[0-9\u00b2\u00b3\u00b9\u06f0-\u06f9\u2070-\u2089\uff10-\uff19]/, 'EN'],
  [/^[+\u002d\u207a\u2212\uff0b\uff0d]/, 'ES'],
  [/^[#%\u00b0\u066a\u2030\u2213]|^\p{Sc}/u, 'ET'],
  [/^[,./:\u060c\u2044\uff0c\uff0e\uff1a]/, 'CS'],
  [
    /^[\u0600-\u0605\u0608\u060d\u061b-\u065f\u066d-\u06ef\u06fa-\u07bf\u0860-\u08ff\ufb50-\ufd3d\ufd50-\ufdff\ufe70-\ufefc]/,
    'AL',
  ],
  [/^[\u0590-\u05ff\u07c0-\u085f\ufb1d-\ufb4f\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u, 'R'],
  [/^[\p{L}\p{M}\p{N}]/u, 'L'],
]
const BRACKETS: ReadonlyMap<string, string> = new Map(
  ['()', '[]', '{}', '（）', '［］', '｛｝', '「」', '『』', '【】', '〈〉', '《》', '〔〕'].map((pair) => [
    pair.charAt(0),
    pair.charAt(1),
  ]),
)
const CLOSING: ReadonlySet<string> = new Set(BRACKETS.values())

/** Whether any of the text runs from right to left. */
export function hasRightToLeft(text: string): boolean {
  for (const character of text) if (isRight(classOf(character))) return true
  return false
}

/** A grapheme's place in the text, and whether its neighbours in the text stand to the other side. */
export interface Placed {
  index: number
  isRightToLeft: boolean
}

/**
 * The graphemes from left to right. The direction of the text is that of its first letter.
 * @param goesOn a line of a text whose first letter stands in an earlier one and is written from right to left
 */
export function visualOrder(graphemes: readonly string[], goesOn = false): Placed[] {
  const classes = graphemes.map(classOf)
  const first = goesOn ? 'R' : classes.find((each) => each === 'L' || isRight(each))
  const base: Direction = isRight(first ?? 'L') ? 'R' : 'L'
  resolveNumbers(classes, base)
  resolveBrackets(classes, graphemes, base)
  resolveNeutrals(classes, base)
  const levels = classes.map((each) => levelOf(each, base))
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

function classOf(grapheme: string): BidiClass {
  return CLASSES.find(([pattern]) => pattern.test(grapheme))?.[1] ?? 'ON'
}

function isRight(each: BidiClass): boolean {
  return each === 'R' || each === 'AL'
}

/** Rules W2 to W7. */
function resolveNumbers(classes: BidiClass[], base: Direction): void {
  let strong: BidiClass = base
  classes.forEach((each, i) => {
    if (each === 'L' || isRight(each)) strong = each
    if (each === 'EN' && strong === 'AL') classes[i] = 'AN'
  })
  classes.forEach((each, i) => {
    const before = classes[i - 1]
    const isBetween = before === classes[i + 1] && (before === 'EN' || (before === 'AN' && each === 'CS'))
    if ((each === 'ES' || each === 'CS') && before !== undefined && isBetween) classes[i] = before
  })
  signsOfNumbers(classes)
  strong = base
  classes.forEach((each, i) => {
    if (each === 'AL') classes[i] = 'R'
    if (each === 'ES' || each === 'ET' || each === 'CS') classes[i] = 'ON'
    if (each === 'L' || isRight(each)) strong = each
    if (each === 'EN' && strong === 'L') classes[i] = 'L'
  })
}

/** Rule W5: 50%, $5. */
function signsOfNumbers(classes: BidiClass[]): void {
  for (let i = 0; i < classes.length; i++) if (classes[i] === 'ET' && classes[i - 1] === 'EN') classes[i] = 'EN'
  for (let i = classes.length - 1; i >= 0; i--) if (classes[i] === 'ET' && classes[i + 1] === 'EN') classes[i] = 'EN'
}

/** The side to which a letter or number pulls its neighbours; null: none. */
function pullOf(each: BidiClass | undefined): Direction | null {
  if (each === 'L') return 'L'
  return each === 'R' || each === 'EN' || each === 'AN' ? 'R' : null
}

/** Rule N0: both brackets of a pair stand the same way. */
function resolveBrackets(classes: BidiClass[], graphemes: readonly string[], base: Direction): void {
  for (const { open, close } of bracketPairs(classes, graphemes)) {
    const inside = new Set(classes.slice(open + 1, close).map(pullOf))
    const other: Direction = base === 'L' ? 'R' : 'L'
    if (!inside.has(base) && !inside.has(other)) continue
    const before = pullOf(classes.slice(0, open).findLast((each) => pullOf(each) !== null)) ?? base
    const direction = inside.has(base) ? base : before
    classes[open] = direction
    classes[close] = direction
  }
}

function bracketPairs(classes: readonly BidiClass[], graphemes: readonly string[]): { open: number; close: number }[] {
  const opened: number[] = []
  const pairs: { open: number; close: number }[] = []
  graphemes.forEach((grapheme, i) => {
    if (classes[i] !== 'ON') return
    if (BRACKETS.has(grapheme)) opened.push(i)
    if (!CLOSING.has(grapheme)) return
    const at = opened.findLastIndex((open) => BRACKETS.get(graphemes[open] ?? '') === grapheme)
    const open = opened[at]
    if (open === undefined) return
    pairs.push({ open, close: i })
    opened.length = at
  })
  return pairs.sort((one, next) => one.open - next.open)
}

/** Rules N1 and N2: neutrals take the direction of both sides when they agree, else that of the text. Spaces at the end take the text's too (L1). */
function resolveNeutrals(classes: BidiClass[], base: Direction): void {
  for (let from = 0; from < classes.length; from++) {
    if (classes[from] !== 'ON') continue
    let to = from
    while (classes[to] === 'ON') to++
    const before = from === 0 ? base : pullOf(classes[from - 1])
    const after = to === classes.length ? base : pullOf(classes[to])
    classes.fill(before !== null && before === after ? before : base, from, to)
    from = to - 1
  }
}

/** Rules I1 and I2. */
function levelOf(each: BidiClass, base: Direction): number {
  if (each === 'R') return 1
  return each === 'L' && base === 'L' ? 0 : 2
}
