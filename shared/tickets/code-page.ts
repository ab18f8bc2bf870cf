// Converts characters to bytes for one printer. A line uses the first code page that has all of it, so pages change rarely.
import { codePageCharacters, NO_CHARACTER } from '#shared/escpos/code-page-characters.ts'
import type { KanjiMode, PrinterProfile } from '#shared/printer-profile.ts'
import { displayWidth } from './display-width.ts'
import { plainPunctuation, transliterate } from './transliteration.ts'
import { twoColumnCharacters } from './two-column-characters.ts'

/** Bytes to print after `ESC t page`. One column each. */
export interface PageSegment {
  page: number
  bytes: Uint8Array
}

/** Byte pairs to print between `FS &` (Shift-JIS: also `FS C 1`) and `FS .`. Two columns for each pair. */
export interface KanjiSegment {
  kanji: KanjiMode
  bytes: Uint8Array
}

export type EncodedSegment = PageSegment | KanjiSegment

interface Page {
  page: number
  byteOf: ReadonlyMap<string, number>
}

const ASCII_ONLY = /^[\x20-\x7e]*$/
// Printers place bytes side by side: they do not join letters, reverse right-to-left text or place accents above letters.
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/

/** The characters of one printer profile. Immutable; building it takes about a millisecond. */
export class CodePages {
  readonly #pages: readonly [Page, ...Page[]]
  readonly #kanji: KanjiMode | null

  /** @throws Error for an unknown code page */
  constructor(profile: Pick<PrinterProfile, 'id' | 'codePages' | 'kanji'>) {
    const [first, ...others] = profile.codePages.map((entry) => readPage(entry.page, entry.encoding))
    if (first === undefined) throw new Error(`Printer profile "${profile.id}" has no code page`)
    this.#pages = [first, ...others]
    this.#kanji = profile.kanji
  }

  /** The page that a document selects first. */
  get first(): number {
    return this.#pages[0].page
  }

  /** True if the printer has every character of this text (sanitized, one line). */
  has(text: string): boolean {
    if (ASCII_ONLY.test(text)) return true
    for (const character of text) if (!this.#has(character)) return false
    return true
  }

  /**
   * Replaces every character that this printer does not have with the nearest letters. Takes and returns sanitized text; LF is kept.
   * @param drawn true if the rest is drawn: then only punctuation is replaced, with the plain character of the same meaning
   */
  printable(text: string, { drawn = false }: { drawn?: boolean } = {}): string {
    if (ASCII_ONLY.test(text)) return text
    let out = ''
    for (const character of text) {
      if (character === '\n' || this.#has(character)) out += character
      else out += plainPunctuation(character) ?? (drawn ? character : transliterate(character))
    }
    return out
  }

  /** The first page that has all of `text` (printable, one line). Null if several pages, or Kanji mode, are needed. */
  pageFor(text: string): number | null {
    if (ASCII_ONLY.test(text)) return this.first
    const characters = Array.from(text)
    return this.#pages.find((page) => characters.every((character) => hasCharacter(page, character)))?.page ?? null
  }

  /** Encodes printable text. `page` is the result of `pageFor`; null switches pages within the text. Unprintable characters become `?`. */
  encode(text: string, page: number | null): EncodedSegment[] {
    const whole = this.#pages.find((candidate) => candidate.page === page)
    if (whole !== undefined) return [{ page: whole.page, bytes: encodeIn(whole, Array.from(text)) }]
    const segments: EncodedSegment[] = []
    let current: Page | KanjiMode = this.#pages[0]
    let run: string[] = []
    for (const character of text) {
      const next: Page | KanjiMode = this.#whoHas(character, current)
      if (next !== current && run.length > 0) {
        segments.push(segmentOf(current, run))
        run = []
      }
      current = next
      run.push(character)
    }
    if (run.length > 0) segments.push(segmentOf(current, run))
    return segments
  }

  #has(character: string): boolean {
    return this.#pages.some((page) => hasCharacter(page, character)) || this.#hasKanji(character)
  }

  #hasKanji(character: string): boolean {
    return this.#kanji !== null && displayWidth(character) === 2 && twoColumnCharacters(this.#kanji).has(character)
  }

  /** Stays in the current page while it can. A character that no page has is printed as `?`, which every page has. */
  #whoHas(character: string, current: Page | KanjiMode): Page | KanjiMode {
    if (typeof current !== 'string' && hasCharacter(current, character)) return current
    const page = this.#pages.find((candidate) => hasCharacter(candidate, character))
    if (page !== undefined) return page
    return this.#kanji !== null && this.#hasKanji(character) ? this.#kanji : this.#pages[0]
  }
}

function readPage(page: number, encoding: string): Page {
  const byteOf = new Map<string, number>()
  codePageCharacters(encoding).forEach((character, byte) => {
    if (byte > 0x7f && isPlain(character) && !byteOf.has(character)) byteOf.set(character, byte)
  })
  return { page, byteOf }
}

/** True for a character of one column that neither joins nor combines with the one before it. */
function isPlain(character: string): boolean {
  return character !== NO_CHARACTER && displayWidth(character) === 1 && !RIGHT_TO_LEFT.test(character)
}

function hasCharacter(page: Page, character: string): boolean {
  return (character >= ' ' && character <= '~') || page.byteOf.has(character)
}

function segmentOf(where: Page | KanjiMode, characters: readonly string[]): EncodedSegment {
  if (typeof where !== 'string') return { page: where.page, bytes: encodeIn(where, characters) }
  const table = twoColumnCharacters(where)
  const pairs = characters.map((character) => table.get(character) ?? 0x2020)
  return { kanji: where, bytes: Uint8Array.from(pairs.flatMap((pair) => [pair >> 8, pair & 0xff])) }
}

function encodeIn(page: Page, characters: readonly string[]): Uint8Array {
  const bytes = new Uint8Array(characters.length)
  characters.forEach((character, i) => {
    const ascii = character >= ' ' && character <= '~' ? character.charCodeAt(0) : undefined
    bytes[i] = ascii ?? page.byteOf.get(character) ?? 0x3f
  })
  return bytes
}
