// Keeps foreign text distinct from our own words: removes frames, and detects text with the words of our banners.
import { foldedText } from './folded-text.ts'
import type { RunStyle } from './line-layout.ts'
import { LOOK_ALIKE_LETTERS } from './look-alike-letters.ts'
import { paperText, type TicketPaper } from './ticket-paper.ts'
import { transliterate } from './transliteration.ts'

/** Rows of stars or dashes, which frame our banners and sections. Accents frame nothing. */
const REPEATED_SIGN = /([^\p{L}\p{M}\p{N}\s.])\1+/gu
const FRAME_AT_AN_END = /^[^\p{L}\p{N}(]|[*#!|+=~-]$/u
/** One of our words in the form for comparison, in which l and i are the same letter, as in `VOlD`. */
const anyOf = (...words: string[]) => new RegExp(words.join('|').replaceAll('l', 'i'))
const BANNER_WORDS = [
  'void',
  'donotmake',
  'duplicate',
  'checkrail',
  'incomplete',
  'reprint',
  'testorder',
  'atthescreen',
  'checkscreen',
]
/** Words of our banners and headings, letters only, so that `V O I D` matches too. */
const BANNERS = anyOf(...BANNER_WORDS)
const OURS = anyOf(
  ...BANNER_WORDS,
  'late(?![a-z])',
  ...['allerg', 'fire', 'hold', 'course', 'backup', 'addon', 'ordernote', 'copy\\d', 'reason'],
)
/** Guests write "avoid" about allergies, and it contains VOID. One case only: `aVOID` is not accepted. */
const AVOID = /\b(?:avoid|Avoid|AVOID)(?:s|ed|ing|ance|S|ED|ING|ANCE)?\b/g
const LETTERS_ALIKE: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '|': 'i',
  '!': 'i',
  '@': 'a',
  $: 's',
  l: 'i',
}
const SIGNS = /[01345|!@$l]/g
const alike = (sign: string): string => LETTERS_ALIKE[sign] ?? sign
const ASCII = /^[\x20-\x7e]*$/
const LONGEST_LABEL = 40

/** A name that is printed where our own words are printed: without frames. */
export function labelText(paper: TicketPaper, text: string, maxLength = LONGEST_LABEL): string {
  return unframed(paperText(paper, text, { maxLength }))
}

/** Removes rows of one repeated sign. */
export function unframed(text: string): string {
  return text.replace(REPEATED_SIGN, '$1')
}

/** Returns whether text could be mistaken for one of our banners or headings. */
export function looksLikeOurs(text: string): boolean {
  return FRAME_AT_AN_END.test(text) || says(OURS, text)
}

/** Returns whether text contains the words of one of our banners. */
export function saysBanner(text: string): boolean {
  return says(BANNERS, text)
}

/** The style of foreign text about an allergy: like our banners, unless it contains a banner's words. */
export function alarmStyle(text: string): RunStyle {
  return saysBanner(text)
    ? { heightScale: 2, bold: true, underline: true }
    : { heightScale: 2, bold: true, alarm: true }
}

/** Letters of other scripts count as the Latin ones that they look or sound like. */
function says(words: RegExp, asSent: string): boolean {
  const text = asSent.replace(AVOID, ' ')
  if (ASCII.test(text))
    return words.test(
      text
        .toLowerCase()
        .replace(SIGNS, alike)
        .replace(/[^a-z0-9]+/g, ''),
    )
  const letters = Array.from(text.normalize('NFKC'))
  const looks = letters.map((letter) => LOOKALIKES.get(letter) ?? LETTERS_ALIKE[letter] ?? letter).join('')
  const sounds = letters.map((letter) => transliterate(letter)).join('')
  return [looks, sounds].some((each) =>
    words.test(
      foldedText(each)
        .replace(/l/g, 'i')
        .replace(/[^\p{L}\p{N}]/gu, ''),
    ),
  )
}

const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOK_ALIKE_LETTERS).flatMap(([latin, letters]) => Array.from(letters, (letter) => [letter, latin])),
)
