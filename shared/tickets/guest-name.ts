// Shortens a guest's name for places where others can read it: paper in the kitchen, a kitchen display, a guests' board.
import { TEXT_LENGTHS } from '#shared/text-lengths.ts'

/** Includes the dot of the initial. */
export const LONGEST_GUEST = TEXT_LENGTHS.guest + 1

/**
 * The size of a party, a room, a table: at most four digits, optionally in brackets or after a sign. A longer number is a telephone number.
 */
const SHORT_NUMBER = /^[^\p{L}\p{Nd}]?\p{Nd}{1,4}[^\p{L}\p{Nd}]?$/u
/** Words between a noun and its number: `Party of 20`, `Grupo de 8`. */
const JOINTS = new Set(['of', 'for', 'no', 'nr', 'de', 'para', 'du', 'von', 'für', 'mit', 'di', 'da'])

/**
 * `Ana Maria Lopez` -> `Ana L.`. A short number is not part of a person's name and is kept: `Party of 20`, `Room 214`, `Ana L. 12`. Longer
 * numbers, and words without a letter after the first, are left out.
 */
export function maskedGuest(name: string): string {
  const words = wordsOf(name)
  const label = labelOf(words)
  if (label !== null) return label
  const [first = '', ...others] = lettered(words)
  const last = others.at(-1)
  const number = words.at(-1) ?? ''
  return [
    first || (words[0] ?? ''),
    ...(last === undefined ? [] : [`${/\p{L}/u.exec(last)?.[0]}.`]),
    ...(first !== '' && isOnlyNumber(number, words) ? [number] : []),
  ].join(' ')
}

/** For calling across a room: `Ana` for `Ana Maria Lopez` and `Ana L.`. `Party of 20` is unchanged. */
export function firstNameOf(name: string): string {
  const words = wordsOf(name)
  return labelOf(words) ?? lettered(words)[0] ?? words[0] ?? ''
}

/** `Party of 20`, also for `Party of 20 people`. Null for the name of a person. */
function labelOf(words: readonly string[]): string | null {
  const place = words.findIndex((word) => SHORT_NUMBER.test(word))
  const isLabel =
    place > 0 &&
    isOnlyNumber(words[place] ?? '', words) &&
    words.slice(1, place).every((word) => JOINTS.has(word.toLowerCase()))
  return isLabel ? words.slice(0, place + 1).join(' ') : null
}

/** Several numbers in a row are a telephone number. */
function isOnlyNumber(word: string, words: readonly string[]): boolean {
  return SHORT_NUMBER.test(word) && words.filter((other) => /\p{Nd}/u.test(other)).length === 1
}

function wordsOf(name: string): string[] {
  return name.split(/\s+/u).filter((word) => word !== '')
}

function lettered(words: readonly string[]): string[] {
  return words.filter((word) => /\p{L}/u.test(word))
}
