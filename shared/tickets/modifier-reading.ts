// Reads the verb, its length and its subject from the words of a modifier's name. Used for the sign on paper and for allergies.
import { foldedText } from './folded-text.ts'
import {
  HARDLY_LEFT_OUT,
  HYPHENED,
  LEFT_OUT_AROUND,
  NO_VERB,
  NOT_TURKISH_WITHOUT,
  SPACED,
  UNCLEAR_LEADING,
  UNCLEAR_NUMBERS,
  type Verb,
  WRITTEN_ANYWHERE,
  WRITTEN_LEADING,
} from './modifier-verbs.ts'

export interface Reading {
  /** `plain`: no verb. `unclear`: it may be a removal, such as `x peanuts`, `- onion`, `nem hagyma`. */
  does: Verb | 'plain' | 'unclear'
  /** Length of the verb in characters, if the name begins with it. */
  leading: number
  /** The food that the verb applies to. */
  about: string
}

export const VERBS: readonly Verb[] = ['instead', 'remove', 'side', 'light', 'extra', 'add']
const MOST_LEADING_WORDS = 3
const ASCII = /^[\x20-\x7e]*$/

/** Verbs by their words, in the order of VERBS, so that a word with two meanings keeps the more important one. */
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
/** First words of the phrases in ANYWHERE. Most texts contain none and are not searched. */
const FIRST_WORDS = new Set(ANYWHERE.map(({ phrase }) => phrase.trim().split(' ')[0]))
const UNCLEAR = new Set(phrasesOf(UNCLEAR_LEADING))

const OPENING = /^[\s([{"'“”„‘’«*•·]+/u
/** A minus, or the bullet of a list. */
const DASH = /^[-\u2010-\u2015\u2212]\s*(?=[\p{L}\p{N}(])/u
/** After these words the text is about something else: `no sauce on the shrimp`. */
const NEXT_MATTER = /[,;.!+&]|\b(?:but|extra|add|more|only|plus|on|in|for|to|over|instead|en|sur|auf|sobre|para|pour)\b/

/**
 * Reads a name.
 * @param asSent the name before it was made ready for paper, since a printer may lack its letters
 */
export function readVerb(name: string, asSent = name): Reading {
  const start = OPENING.exec(name)?.[0].length ?? 0
  const dash = DASH.exec(name.slice(start))?.[0].length ?? 0
  const inner = name.slice(start + dash)
  const read = readBare(inner, asSent)
  const leading = read.leading === 0 ? 0 : read.leading + start + dash
  if (dash > 0 && read.does === 'plain') return { does: 'unclear', leading: 0, about: inner }
  return { ...read, leading }
}

/** The food that is left out, or may be. Null if none is. */
export function leftOut(name: string, { orUnclear }: { orUnclear: boolean }): string | null {
  const { does, about } = readVerb(name)
  return does === 'remove' || (orUnclear && does === 'unclear') ? about : null
}

function readBare(name: string, asSent: string): Reading {
  const nothing: Reading = { does: 'plain', leading: 0, about: '' }
  if (NO_VERB.test(name)) return nothing
  if (UNCLEAR_NUMBERS.test(name)) return { ...nothing, does: 'unclear' }
  const first = leadingVerb(name)
  // "No fries, salad instead" is a substitution, not a removal.
  if (first.does === 'instead') return first
  const within = verbWithin(name)
  if (within === 'instead') return { ...nothing, does: 'instead', leading: first.leading }
  if (first.does !== 'plain' && first.does !== 'add' && first.does !== 'unclear') return first
  const written = ASCII.test(asSent) ? 'plain' : writtenVerb(asSent.normalize('NFKC'))
  const found = [within, written].find((verb) => verb !== 'plain')
  if (found !== undefined) return { does: found, leading: 0, about: asSent }
  const other = [trailingVerb(name), surroundingVerb(name), turkishWithout(name)].find(({ does }) => does !== 'plain')
  return other ?? (first.does === 'add' ? { ...first, leading: 0 } : first)
}

/** Matches the longest phrase at the beginning of the text. */
function leadingVerb(name: string): Reading {
  const hyphened = HYPHENED.exec(foldedText(name))?.[1]
  // Folding may change the length of a text, so the hyphen is looked up in the name itself.
  if (hyphened !== undefined)
    return { does: 'remove', leading: name.indexOf('-'), about: name.slice(name.indexOf('-') + 1) }
  const ends = [...name.matchAll(/[^\s,:;_=]+/gu)]
    .slice(0, MOST_LEADING_WORDS)
    .map((word) => word.index + word[0].length)
  for (const end of ends.reverse()) {
    const words = foldedText(name.slice(0, end))
      .replace(/[\s_]+/gu, ' ')
      .trim()
    // A word alone has no such meaning: "Light" may be a size, "Sub" a sandwich.
    if (end >= name.length) continue
    const verb = LEADING.get(words)
    if (verb !== undefined) return { does: verb, leading: end, about: firstMatter(name.slice(end)) }
    const about = words === HARDLY_LEFT_OUT ? '' : firstMatter(name.slice(end))
    if (UNCLEAR.has(words)) return { does: 'unclear', leading: 0, about }
  }
  return { does: 'plain', leading: 0, about: '' }
}

function firstMatter(rest: string): string {
  const text = foldedText(rest).replace(/^[^\p{L}\p{N}]+/u, '')
  const end = NEXT_MATTER.exec(text)?.index
  return end === undefined ? text : text.slice(0, end)
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

/** "Mayo - no": how some tills send a yes or no choice. */
function trailingVerb(name: string): Reading {
  const last = /^(.*[\s,:;/(\-\u2013\u2014=?_|])[^\p{L}]*(\p{L}+)[^\p{L}]*$/su.exec(name)
  const does = last === null ? undefined : TRAILING.get(foldedText(last[2] ?? ''))
  return { does: does ?? 'plain', leading: 0, about: does === undefined ? '' : (last?.[1] ?? '') }
}

/** "Leave the nuts out". */
function surroundingVerb(name: string): Reading {
  const between = LEFT_OUT_AROUND.exec(foldedText(name))?.[1]
  return { does: between === undefined ? 'plain' : 'remove', leading: 0, about: between ?? '' }
}

/** `soğansız`: without onion. Before another word it may describe that word: `şekersiz kola`. */
function turkishWithout(name: string): Reading {
  const words = foldedText(name)
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
  const at = words.findIndex((word) => /^\p{L}{2,}s[iu]z$/u.test(word) && !NOT_TURKISH_WITHOUT.has(word))
  if (at === -1) return { does: 'plain', leading: 0, about: '' }
  return { does: at === words.length - 1 ? 'remove' : 'unclear', leading: 0, about: words[at]?.slice(0, -3) ?? '' }
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
