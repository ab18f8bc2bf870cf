// Cuts card numbers out of what callers say or press before any of it is stored: 13 to 19 digits with a right check digit, in figures or in words, also misheard, run together with other digits, or with words between.

/** What stands in their place. */
export const CUT_CARD = '[card number]'

const FEWEST = 13
const MOST = 19

/** Numbers below 100 as English and Spanish say them, without accents. */
const BELOW_100: ReadonlyMap<string, number> = new Map(
  [
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
    'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve',
  ]
    .flatMap((words) => words.split(' ').map((word, value): [string, number] => [word, value]))
    .concat(
      [
        ['oh', 0],
        ['o', 0],
        ['nought', 0],
        ['naught', 0],
        ['un', 1],
        ['una', 1],
        ['fourty', 40],
      ],
      ['thirty forty fifty sixty seventy eighty ninety', 'treinta cuarenta cincuenta sesenta setenta ochenta noventa']
        .flatMap((words) => words.split(' ').map((word, at): [string, number] => [word, 30 + 10 * at]))
        .map(([word, value]) => [word, value]),
    ),
)
/** Digits as they are misheard. Most of these words mean something else. */
const MISHEARD: ReadonlyMap<string, number> = new Map([
  ['for', 4],
  ['fore', 4],
  ['won', 1],
  ['to', 2],
  ['too', 2],
  ['tree', 3],
  ['ate', 8],
  ['niner', 9],
])
const SPANISH_HUNDREDS: ReadonlyMap<string, number> = new Map(
  [
    'cien',
    'ciento',
    'doscientos',
    'trescientos',
    'cuatrocientos',
    'quinientos',
    'seiscientos',
    'setecientos',
    'ochocientos',
    'novecientos',
  ].map((word, at) => [word, at < 2 ? 100 : at * 100]),
)
const TIMES: ReadonlyMap<string, number> = new Map([
  ['double', 2],
  ['doble', 2],
  ['triple', 3],
])
/** Said between digits without a meaning of their own. */
const FILLERS = new Set(
  'and y um uh er eh em then luego dash hyphen guion space espacio comma coma dot punto'.split(' '),
)

/** Words between the groups of one card, such as "and then it goes". */
const MOST_BETWEEN = 6
/** Digits of a group of a card. */
const LEAST_OF_GROUP = 4

/** How cards of the large issuers begin, and how long they are: one of these is a card wherever it stands among other digits. */
const ISSUED: readonly (readonly [begin: RegExp, length: number])[] = [
  [/^4/, 16],
  [/^(5[1-5]|2[2-7])/, 16],
  [/^3[47]/, 15],
  [/^(6011|64|65)/, 16],
  [/^35/, 16],
  [/^62/, 16],
  [/^62/, 19],
  [/^3[068]/, 14],
]

/** A piece of the text: figures as ASCII digits, or a word. */
interface Piece {
  start: number
  end: number
  figures: string | null
  word: string
}

/** A number of the text, as digits. */
interface Spoken {
  start: number
  end: number
  digits: string
}

/** Numbers that follow one another with nothing of meaning between; `wordsBefore`: since the run before. */
interface Run {
  numbers: Spoken[]
  wordsBefore: number
}

/** The text without card numbers; everything else of it stays as it is. */
export function cutCards(text: string): string {
  const cuts: [start: number, end: number][] = []
  const runs = runsOf(text)
  for (const { numbers } of runs) cuts.push(...cardsOf(numbers))
  for (const numbers of joined(runs)) cuts.push(...issuedIn(numbers))
  cuts.sort(([a, aEnd], [b, bEnd]) => a - b || bEnd - aEnd)
  let out = ''
  let from = 0
  for (const [start, end] of cuts) {
    if (start < from) {
      from = Math.max(from, end)
      continue
    }
    out += `${text.slice(from, start)}${CUT_CARD}`
    from = end
  }
  return out + text.slice(from)
}

function runsOf(text: string): Run[] {
  const pieces = piecesOf(text)
  const runs: Run[] = []
  let run: Run = { numbers: [], wordsBefore: 0 }
  for (let at = 0; at < pieces.length; ) {
    const found = numberAt(pieces, at)
    if (found !== null) {
      run.numbers.push(found.spoken)
      at = found.next
      continue
    }
    if (!FILLERS.has(pieces[at]?.word ?? '')) {
      if (run.numbers.length > 0) {
        runs.push(run)
        run = { numbers: [], wordsBefore: 0 }
      }
      run.wordsBefore += 1
    }
    at += 1
  }
  return run.numbers.length > 0 ? [...runs, run] : runs
}

/** Runs with few words between, as one. "For two" and "450 Main Street" are no part of a card: only groups are. */
function joined(runs: readonly Run[]): Spoken[][] {
  const all: Spoken[][] = []
  let words = 0
  for (const { numbers, wordsBefore } of runs) {
    words += wordsBefore
    const count = numbers.reduce((sum, { digits }) => sum + digits.length, 0)
    if (count < LEAST_OF_GROUP) {
      words += numbers.length
      continue
    }
    const last = all.at(-1)
    if (last === undefined || words > MOST_BETWEEN) all.push([...numbers])
    else last.push(...numbers)
    words = 0
  }
  return all
}

/** Words and figures; what is between them is never read. */
function piecesOf(text: string): Piece[] {
  return [...text.matchAll(/(\p{Nd}+)|[\p{L}\p{M}]+/gu)].map((found) => ({
    start: found.index,
    end: found.index + found[0].length,
    figures: found[1] === undefined ? null : [...found[1]].map(figureOf).join(''),
    word: found[1] === undefined ? plain(found[0]) : '',
  }))
}

/** A digit of any script as 0 to 9. Those of a script follow one another, from its zero on. */
function figureOf(digit: string): string {
  const usual = digit.normalize('NFKC')
  if (/^\d$/.test(usual)) return usual
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return String(value)
}

const plain = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The number that begins with this piece, and the piece after it; null: none does. */
function numberAt(pieces: readonly Piece[], at: number): { spoken: Spoken; next: number } | null {
  const first = pieces[at]
  if (first === undefined) return null
  const made = (digits: string, next: number) => {
    const end = pieces[next - 1]?.end ?? first.end
    return { spoken: { start: first.start, end, digits }, next }
  }
  if (first.figures !== null) return made(first.figures, at + 1)
  const times = TIMES.get(first.word)
  if (times !== undefined) {
    const digit = pieces[at + 1]?.figures ?? BELOW_100.get(pieces[at + 1]?.word ?? '')?.toString()
    return digit?.length === 1 ? made(digit.repeat(times), at + 2) : null
  }
  const counted = countedAt(pieces, at)
  return counted === null ? null : made(String(counted.value), counted.next)
}

interface Counted {
  value: number
  next: number
}

/** "forty one hundred", "four thousand one hundred eleven", "treinta y uno": as one number. */
function countedAt(pieces: readonly Piece[], at: number): Counted | null {
  const isThousand = (next: number) => ['thousand', 'mil'].includes(pieces[next]?.word ?? '')
  const small = hundredsAt(pieces, at)
  if (small === null) {
    if (pieces[at]?.word !== 'mil') return null
    return added(pieces, { value: 1_000, next: at + 1 })
  }
  return isThousand(small.next) ? added(pieces, { value: small.value * 1_000, next: small.next + 1 }) : small
}

const added = (pieces: readonly Piece[], { value, next }: Counted): Counted => {
  const rest = hundredsAt(pieces, next)
  return rest === null || rest.value >= 1_000 ? { value, next } : { value: value + rest.value, next: rest.next }
}

function hundredsAt(pieces: readonly Piece[], at: number): Counted | null {
  const spanish = SPANISH_HUNDREDS.get(pieces[at]?.word ?? '')
  const small = spanish === undefined ? below100At(pieces, at) : { value: spanish, next: at + 1 }
  if (small === null) return null
  const isHundred = spanish === undefined && pieces[small.next]?.word === 'hundred'
  if (!isHundred && spanish === undefined) return small
  const value = isHundred ? small.value * 100 : small.value
  const next = isHundred ? small.next + 1 : small.next
  const rest = below100At(pieces, pieces[next]?.word === 'and' ? next + 1 : next)
  // "one hundred zero": two numbers.
  return rest === null || rest.value === 0 ? { value, next } : { value: value + rest.value, next: rest.next }
}

function below100At(pieces: readonly Piece[], at: number): Counted | null {
  const word = pieces[at]?.word ?? ''
  const value = BELOW_100.get(word) ?? MISHEARD.get(word)
  if (value === undefined) return null
  const joined = pieces[at + 1]?.word === 'y' ? at + 2 : at + 1
  const unit = BELOW_100.get(pieces[joined]?.word ?? '')
  const isTens = value >= 20 && value % 10 === 0
  return isTens && unit !== undefined && unit > 0 && unit < 10
    ? { value: value + unit, next: joined + 1 }
    : { value, next: at + 1 }
}

/** Where cards are in a run of numbers, in order; the longest that begins at a place. */
function cardsOf(run: readonly Spoken[]): [start: number, end: number][] {
  const cards: [number, number][] = []
  for (let from = 0; from < run.length; from++) {
    const first = run[from] as Spoken
    if (hasCard(first.digits)) cards.push([first.start, first.end])
    let digits = first.digits
    let longest: Spoken | null = null
    for (let to = from + 1; to < run.length && digits.length < MOST; to++) {
      const last = run[to] as Spoken
      digits += last.digits
      if (isCard(digits)) longest = last
    }
    if (longest !== null) cards.push([first.start, longest.end])
  }
  return cards
}

/** Where cards of the large issuers are, whatever else is said around them: the numbers that have their digits are cut whole. */
function issuedIn(run: readonly Spoken[]): [start: number, end: number][] {
  const digits = run.map((spoken) => spoken.digits).join('')
  const owners = run.flatMap((spoken) => Array.from(spoken.digits, () => spoken))
  const cards: [number, number][] = []
  for (let from = 0; from < digits.length; from++) {
    for (const [begin, length] of ISSUED) {
      const card = digits.slice(from, from + length)
      const [first, last] = [owners[from], owners[from + length - 1]]
      if (first !== undefined && last !== undefined && begin.test(card) && isCard(card))
        cards.push([first.start, last.end])
    }
  }
  return cards
}

/** Whether figures without a gap are one, or have one somewhere: nothing else that callers say is so long. */
function hasCard(digits: string): boolean {
  for (let from = 0; from + FEWEST <= digits.length; from++)
    for (let length = FEWEST; length <= MOST && from + length <= digits.length; length++)
      if (isCard(digits.slice(from, from + length))) return true
  return false
}

/** Luhn's check. */
function isCard(digits: string): boolean {
  if (digits.length < FEWEST || digits.length > MOST) return false
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits.at(-1 - i))
    sum += i % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit
  }
  return sum % 10 === 0
}
