// Characters to bytes on a given printer: per line the first code page that encodes it whole, so that pages change as rarely as possible.
import { codePageCharacters, NO_CHARACTER } from '#shared/escpos/code-page-characters.ts'
import type { KanjiMode, PrinterProfile } from '#shared/printer-profile.ts'
import { transliterate } from './transliteration.ts'

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

/** The code pages of one printer profile. Immutable; building it costs about a millisecond. */
export class CodePages {
  readonly #pages: readonly [Page, ...Page[]]

  /** Throws when the profile names a page that nobody knows. */
  constructor(profile: Pick<PrinterProfile, 'id' | 'codePages'>) {
    const [first, ...others] = profile.codePages.map((entry) => readPage(entry.page, entry.encoding))
    if (first === undefined) throw new Error(`Printer profile "${profile.id}" has no code page`)
    this.#pages = [first, ...others]
  }

  /** The page that a document selects at its start. */
  get first(): number {
    return this.#pages[0].page
  }

  /**
   * The text with every character replaced that this printer cannot print. Each character of the result takes exactly one column and one byte,
   * so layout may count characters. Takes and gives sanitised text; LF passes.
   */
  printable(text: string): string {
    if (ASCII_ONLY.test(text)) return text
    let out = ''
    for (const character of text) {
      const known = character === '\n' || this.#pages.some((page) => hasCharacter(page, character))
      out += known ? character : transliterate(character)
    }
    return out
  }

  /** The first page that has all of `text` (printable text of one line), or null when only several pages together have it. */
  pageFor(text: string): number | null {
    if (ASCII_ONLY.test(text)) return this.first
    const characters = Array.from(text)
    return this.#pages.find((page) => characters.every((character) => hasCharacter(page, character)))?.page ?? null
  }

  /** Encodes printable text. `page` as given by `pageFor`: with null it switches from run to run. Unprintable characters become `?`. */
  encode(text: string, page: number | null): EncodedSegment[] {
    const whole = this.#pages.find((candidate) => candidate.page === page)
    if (whole !== undefined) return [{ page: whole.page, bytes: encodeIn(whole, Array.from(text)) }]
    const segments: PageSegment[] = []
    let current: Page = this.#pages[0]
    let run: string[] = []
    for (const character of text) {
      const next = hasCharacter(current, character)
        ? current
        : (this.#pages.find((candidate) => hasCharacter(candidate, character)) ?? current)
      if (next !== current && run.length > 0) {
        segments.push({ page: current.page, bytes: encodeIn(current, run) })
        run = []
      }
      current = next
      run.push(character)
    }
    if (run.length > 0) segments.push({ page: current.page, bytes: encodeIn(current, run) })
    return segments
  }
}

function readPage(page: number, encoding: string): Page {
  const byteOf = new Map<string, number>()
  codePageCharacters(encoding).forEach((character, byte) => {
    if (byte > 0x7f && character !== NO_CHARACTER && !byteOf.has(character)) byteOf.set(character, byte)
  })
  return { page, byteOf }
}

function hasCharacter(page: Page, character: string): boolean {
  return (character >= ' ' && character <= '~') || page.byteOf.has(character)
}

function encodeIn(page: Page, characters: readonly string[]): Uint8Array {
  const bytes = new Uint8Array(characters.length)
  characters.forEach((character, i) => {
    const ascii = character >= ' ' && character <= '~' ? character.charCodeAt(0) : undefined
    bytes[i] = ascii ?? page.byteOf.get(character) ?? 0x3f
  })
  return bytes
}
