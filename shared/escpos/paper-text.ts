// Text bytes to characters, as the printer's state says: its code page, or two-byte Chinese while Kanji mode is on.
import { codePageCharacters, NO_CHARACTER } from './code-page-characters.ts'

export interface PrintedCharacter {
  text: string
  /** Ideographs take two columns. */
  columns: number
}

export class TextDecoding {
  readonly #codePages: ReadonlyMap<number, string>
  readonly #defaultPage: number
  readonly #kanjiAtStart: boolean
  readonly #tables = new Map<number, readonly string[]>()
  readonly #gb18030 = new TextDecoder('gb18030')
  page: number
  kanji: boolean
  /** First byte of a two-byte character whose second byte has not come yet. */
  #lead: number | null = null

  constructor(codePages: ReadonlyMap<number, string>, defaultPage: number, kanjiAtStart: boolean) {
    this.#codePages = codePages
    this.#defaultPage = defaultPage
    this.#kanjiAtStart = kanjiAtStart
    this.page = defaultPage
    this.kanji = kanjiAtStart
  }

  /** State after power-on and ESC @. */
  reset(): void {
    this.page = this.#defaultPage
    this.kanji = this.#kanjiAtStart
    this.#lead = null
  }

  /** A command came: a lone first byte prints nothing. */
  endRun(): void {
    this.#lead = null
  }

  decode(bytes: Uint8Array): PrintedCharacter[] {
    const characters: PrintedCharacter[] = []
    const table = this.#table()
    for (const byte of bytes) {
      if (this.#lead !== null) {
        characters.push({ text: this.#gb18030.decode(new Uint8Array([this.#lead, byte])), columns: 2 })
        this.#lead = null
      } else if (this.kanji && byte >= 0x81 && byte <= 0xfe) {
        this.#lead = byte
      } else {
        characters.push({ text: table[byte] ?? NO_CHARACTER, columns: 1 })
      }
    }
    return characters
  }

  #table(): readonly string[] {
    const known = this.#tables.get(this.page)
    if (known !== undefined) return known
    // A page that the printer does not have: it prints something, and nobody can say what.
    const encoding = this.#codePages.get(this.page)
    const table = codePageCharacters(encoding ?? 'ascii')
    this.#tables.set(this.page, table)
    return table
  }
}
