// Characters to bytes on a given printer: per line the first code page that encodes it whole, so that pages change as rarely as possible.
import { codePageCharacters, NO_CHARACTER } from '#shared/escpos/code-page-characters.ts'
import type { KanjiMode, PrinterProfile } from '#shared/printer-profile.ts'
import { displayWidth } from './display-width.ts'
import { plainPunctuation, transliterate } from './transliteration.ts'
import { twoColumnCharacters } from './two-column-characters.ts'

/** Bytes to print after `ESC t page`, one column each. */
export interface PageSegment {
  page: number
  bytes: Uint8Array
}

/** Pairs of bytes to print between `FS &` (Shift-JIS: and `FS C 1`) and `FS .`, two columns a pair. */
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
// Printers put one byte beside the other: they neither join letters nor turn them to the left, nor set an accent above a letter.
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/

/** The characters of one printer profile. Immutable; building it costs about a millisecond. */
export class CodePages {
  readonly #pages: readonly [Page, ...Page[]]
  readonly #kanji: KanjiMode | null

  /** Throws when the profile names a page that nobody knows. */
  constructor(profile: Pick<PrinterProfile, 'id' | 'codePages' | 'kanji'>) {
    const [first, ...others] = profile.codePages.map((entry) => readPage(entry.page, entry.encoding))
    if (first === undefined) throw new Error(`Printer profile "${profile.id}" has no code page`)
    this.#pages = [first, ...others]
    this.#kanji = profile.kanji
  }

  /** The page that a document selects at its start. */
  get first(): number {
    return this.#pages[0].page
  }

  /** True when the printer has every character of this text (sanitised, one line). */
  has(text: string): boolean {
    if (ASCII_ONLY.test(text)) return true
    for (const character of text) if (!this.#has(character)) return false
    return true
  }

  /**
   * The text with every character replaced that this printer does not have, by the nearest letters. Takes and gives sanitised text; LF passes.
   * @param drawn the rest is drawn: only punctuation is replaced, by the plain sign that means the same
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

  /** The first page that has all of `text` (printable text of one line), or null when only several pages, or Kanji mode, have it. */
  pageFor(text: string): number | null {
    if (ASCII_ONLY.test(text)) return this.first
    const characters = Array.from(text)
    return this.#pages.find((page) => characters.every((character) => hasCharacter(page, character)))?.page ?? null
  }

  /** Encodes printable text. `page` as given by `pageFor`: with null it switches from run to run. Unprintable characters become `?`. */
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

  /** Stays in the page while it can. What nobody has is printed as `?`, which every page has. */
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

/** One column wide, and right when it simply stands behind the one before. */
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
