// A character for properties: any code point of Unicode, as the unit of fc.string.
import fc from 'fast-check'

const SURROGATES = { from: 0xd800, count: 0x800 }

/**
 * What fast-check calls 'binary'. Its own puts a million characters into a table before the first case, which takes a second; this one counts.
 */
export const ANY_CHARACTER: fc.Arbitrary<string> = fc
  .nat({ max: 0x10ffff - SURROGATES.count })
  .map(characterAt, placeOf)

function characterAt(place: number): string {
  return String.fromCodePoint(place < SURROGATES.from ? place : place + SURROGATES.count)
}

function placeOf(character: unknown): number {
  const point = typeof character === 'string' ? character.codePointAt(0) : undefined
  if (point === undefined || String.fromCodePoint(point) !== character) throw new Error('this is not one character')
  if (point < SURROGATES.from) return point
  if (point < SURROGATES.from + SURROGATES.count) throw new Error('half a character is none')
  return point - SURROGATES.count
}
