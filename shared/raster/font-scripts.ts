// What can be written with a font, in words, by letters that only such fonts have. Pure.
import { type CharacterRanges, includes } from './character-map.ts'

const SIGNS: readonly (readonly [script: string, letters: string])[] = [
  ['Latin', 'AZaz'],
  ['Greek', 'ΑΩω'],
  ['Cyrillic', 'АЯя'],
  ['Armenian', 'Աա'],
  ['Georgian', 'აჰ'],
  ['Hebrew', 'את'],
  ['Arabic', 'اي'],
  ['Devanagari', 'अह'],
  ['Bengali', 'অহ'],
  ['Gurmukhi', 'ਅਹ'],
  ['Gujarati', 'અહ'],
  ['Tamil', 'அஹ'],
  ['Telugu', 'అహ'],
  ['Kannada', 'ಅಹ'],
  ['Malayalam', 'അഹ'],
  ['Sinhala', 'අහ'],
  ['Thai', 'กฮ'],
  ['Lao', 'ກຮ'],
  ['Khmer', 'កអ'],
  ['Myanmar', 'ကအ'],
  ['Ethiopic', 'ሀፐ'],
  ['Japanese kana', 'あア'],
  ['Chinese', '的中'],
  ['Korean', '가한'],
]

/** `Latin, Korean`; `other` when it has none of them. */
export function scriptsOf(ranges: CharacterRanges): string {
  const has = (letters: string) => Array.from(letters).every((letter) => includes(ranges, letter.codePointAt(0) ?? 0))
  const scripts = SIGNS.filter(([, letters]) => has(letters)).map(([script]) => script)
  return scripts.length === 0 ? 'other' : scripts.join(', ')
}
