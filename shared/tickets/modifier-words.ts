// What a modifier does to its item: left out, replaced, apart, more, less or added; and how it stands on paper.
import type { KitchenLine } from '#shared/order.ts'
import { foldedText } from './folded-text.ts'
import { NO_VERB, SPACED, type Verb, WRITTEN_ANYWHERE, WRITTEN_LEADING } from './modifier-verbs.ts'

type Modifier = KitchenLine['modifiers'][number]

export interface ModifierWords {
  /** `plain`: it says nothing of it, or a word of a newer relay. */
  does: Verb | 'plain'
  /** Of one or two signs: `-` left out, `<>` instead, `//` apart, `++` more, `+-` less, `+` the rest. */
  sign: string
  /** `2x NO onion`; not sanitised. */
  words: string
}

const SIGNS: Readonly<Record<Verb | 'plain', string>> = {
  remove: '-',
  instead: '<>',
  side: '//',
  extra: '++',
  light: '+-',
  add: '+',
  plain: '+',
}
/** Before a name that has no such word itself, when the client says by `verb` what the modifier does. */
const VERB_WORDS: Readonly<Record<string, string>> = { remove: 'NO', instead: 'SUB', side: 'SIDE' }
const ORDER: readonly ModifierWords['does'][] = ['remove', 'instead']
const VERBS: readonly Verb[] = ['instead', 'remove', 'side', 'light', 'extra', 'add']
const MOST_LEADING_WORDS = 3
const ASCII = /^[\x20-\x7e]*$/

/** By their words; `leading` in the order of VERBS, so that a word of two meanings keeps the one that matters more. */
const LEADING = new Map<string, Verb>(
  [...VERBS]
    .reverse()
    .flatMap((verb) => phrasesOf(SPACED.leading[verb]).map((phrase): [string, Verb] => [phrase, verb])),
)
const TRAILING = new Map<string, Verb>(
  VERBS.flatMap((verb) => phrasesOf(SPACED.trailing[verb] ?? '').map((word): [string, Verb] => [word, verb])),
)
const ANYWHERE = VERBS.flatMap((verb) =>
  phrasesOf(SPACED.anywhere[verb] ?? '').map((phrase) => ({ phrase: ` ${phrase} `, verb })),
)
/** Words by which a phrase of ANYWHERE can begin: most texts have none, and are not searched. */
const FIRST_WORDS = new Set(ANYWHERE.map(({ phrase }) => phrase.trim().split(' ')[0]))

/**
 * Reads one modifier. What the client says by `verb` stands above what the name says.
 * @param clean makes foreign text ready for paper
 */
export function modifierWords(modifier: Modifier, clean: (text: string) => string): ModifierWords {
  const name = clean(modifier.name)
  const read = verbOf(modifier.name, name)
  const given = VERBS.find((verb) => verb === modifier.verb)
  const does = given ?? read.does
  const ownWord = given === undefined || given === read.does ? '' : (VERB_WORDS[given] ?? '')
  const newerWord = given === undefined ? clean(modifier.verb ?? '') : ''
  const capital = does === 'remove' || does === 'instead'
  const said = capital ? name.slice(0, read.leading).toUpperCase() + name.slice(read.leading) : name
  const group = clean(modifier.group ?? '')
  const parts = [
    (modifier.qty ?? 1) > 1 ? `${modifier.qty}x` : '',
    ownWord,
    newerWord === '' ? '' : `(${newerWord})`,
    group === '' || said === '' ? '' : `${group}:`,
    said,
  ]
  return { does, sign: SIGNS[does], words: name === '' ? '' : parts.filter((part) => part !== '').join(' ') }
}

/** What is left out comes first, then what is replaced; the rest as it was sent. */
export function inReadingOrder<T extends { does: ModifierWords['does'] }>(modifiers: readonly T[]): T[] {
  const rank = ({ does }: T): number => {
    const at = ORDER.indexOf(does)
    return at === -1 ? ORDER.length : at
  }
  return [...modifiers].sort((a, b) => rank(a) - rank(b))
}

/** @returns `leading`: how many characters of `name` are the word itself */
function verbOf(asSent: string, name: string): { does: Verb | 'plain'; leading: number } {
  const nothing = { does: 'plain', leading: 0 } as const
  if (NO_VERB.test(name)) return nothing
  const first = leadingVerb(name)
  // "No fries, salad instead": what takes the place of something else is never only a removal.
  if (first.does === 'instead') return first
  const within = verbWithin(name)
  if (within === 'instead') return { does: 'instead', leading: first.does === 'plain' ? 0 : first.leading }
  if (first.does !== 'plain' && first.does !== 'add') return first
  const written = ASCII.test(asSent) ? 'plain' : writtenVerb(asSent.normalize('NFKC'))
  const found = [within, written, trailingVerb(name)].find((verb) => verb !== 'plain') ?? first.does
  return { does: found, leading: 0 }
}

/** Of the longest phrase that the text begins with. */
function leadingVerb(name: string): { does: Verb | 'plain'; leading: number } {
  const ends = [...name.matchAll(/[^\s,:;]+/gu)].slice(0, MOST_LEADING_WORDS).map((word) => word.index + word[0].length)
  for (const end of ends.reverse()) {
    const verb = LEADING.get(foldedText(name.slice(0, end)).trim())
    // A word alone says nothing: "Light" may be a size, "Sub" a sandwich.
    if (verb !== undefined && end < name.length) return { does: verb, leading: end }
  }
  return { does: 'plain', leading: 0 }
}

function verbWithin(name: string): Verb | 'plain' {
  const words = foldedText(name)
    .replace(/[^\p{L}\p{N}/]+/gu, ' ')
    .trim()
    .split(' ')
  if (!words.some((word) => FIRST_WORDS.has(word))) return 'plain'
  const text = ` ${words.join(' ')} `
  return ANYWHERE.find(({ phrase }) => text.includes(phrase))?.verb ?? 'plain'
}

/** "Mayo - no": how a choice of yes and no is sent by some tills. */
function trailingVerb(name: string): Verb | 'plain' {
  const last = /[\s,:;/(\-\u2013][^\p{L}]*(\p{L}+)[^\p{L}]*$/u.exec(name)?.[1]
  return (last === undefined ? undefined : TRAILING.get(foldedText(last).trim())) ?? 'plain'
}

function writtenVerb(text: string): Verb | 'plain' {
  const anywhere = VERBS.find((verb) => WRITTEN_ANYWHERE[verb]?.some((word) => text.includes(word)))
  return anywhere ?? VERBS.find((verb) => WRITTEN_LEADING[verb]?.some((word) => text.startsWith(word))) ?? 'plain'
}

function phrasesOf(list: string): string[] {
  return list
    .split(',')
    .map((phrase) => foldedText(phrase.trim()))
    .filter((phrase) => phrase !== '')
}
