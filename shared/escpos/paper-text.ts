// Converts text bytes to characters according to the printer's state: its code page, or two-byte characters while such a mode is on.
import { codePageCharacters, NO_CHARACTER } from './code-page-characters.ts'

/** Two-byte character sets in the fonts of printers. */
export type DoubleByteSet = 'gb18030' | 'big5' | 'shift-jis' | 'euc-kr'

export interface PrintedCharacter {
  text: string
  /** Ideographs take two columns. */
  columns: number
}

export interface TextOptions {
  codePages: ReadonlyMap<number, string>
  defaultPage: number
  doubleByte: DoubleByteSet
  /** State after power-on and ESC @. */
  kanjiAtStart: boolean
}

interface Shape {
  label: string
  isLead: (byte: number) => boolean
}

const from81 = (byte: number): boolean => byte >= 0x81 && byte <= 0xfe
const SHAPES: Readonly<Record<DoubleByteSet, Shape>> = {
  gb18030: { label: 'gb18030', isLead: from81 },
  big5: { label: 'big5', isLead: from81 },
  'euc-kr': { label: 'euc-kr', isLead: from81 },
  // Between the two ranges are half-width katakana, of one byte.
  'shift-jis': {
    label: 'shift_jis',
    isLead: (byte) => (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc),
  },
}
/** JIS codes in Kanji mode: both bytes are below 0x80. With the high bits set they are EUC. */
const JIS: Shape = { label: 'euc-jp', isLead: (byte) => byte >= 0x21 && byte <= 0x7e }

export class TextDecoding {
  readonly #options: TextOptions
  readonly #tables = new Map<number, readonly string[]>()
  readonly #decoders = new Map<string, InstanceType<typeof TextDecoder>>()
  page: number
  /** FS & turns it on, FS . off. */
  kanji: boolean
  /** FS C 1, ESC $ 1: Shift-JIS applies in and outside Kanji mode, until FS C 0. */
  shiftJis = false
  /** First bytes of an incomplete character. */
  #lead: number[] = []

  constructor(options: TextOptions) {
    this.#options = options
    this.page = options.defaultPage
    this.kanji = options.kanjiAtStart
  }

  /** Resets to the state after power-on and ESC @. */
  reset(): void {
    this.page = this.#options.defaultPage
    this.kanji = this.#options.kanjiAtStart
    this.shiftJis = false
    this.#lead = []
  }

  /** Called for each command: a first byte without a second prints nothing. */
  endRun(): void {
    this.#lead = []
  }

  decode(bytes: Uint8Array): PrintedCharacter[] {
    const characters: PrintedCharacter[] = []
    const table = this.#table()
    const shape = this.#shape()
    for (const byte of bytes) {
      if (this.#lead.length > 0) {
        this.#lead.push(byte)
        if (isFourBytes(shape, this.#lead) && this.#lead.length < 4) continue
        characters.push({ text: this.#twoBytes(shape ?? SHAPES.gb18030, this.#lead), columns: 2 })
        this.#lead = []
      } else if (shape?.isLead(byte) === true) {
        this.#lead.push(byte)
      } else {
        characters.push({ text: table[byte] ?? NO_CHARACTER, columns: 1 })
      }
    }
    return characters
  }

  /** The characters of these bytes, without changing the state. */
  peek(bytes: Uint8Array): string {
    const lead = this.#lead
    this.#lead = [...lead]
    const text = this.decode(bytes)
      .map((character) => character.text)
      .join('')
    this.#lead = lead
    return text
  }

  /** Null: every byte is a character of the code page. */
  #shape(): Shape | null {
    const { doubleByte } = this.#options
    if (doubleByte !== 'shift-jis') return this.kanji ? SHAPES[doubleByte] : null
    if (this.shiftJis) return SHAPES['shift-jis']
    return this.kanji ? JIS : null
  }

  #twoBytes(shape: Shape, lead: readonly number[]): string {
    const decoder = this.#decoders.get(shape.label) ?? new TextDecoder(shape.label)
    this.#decoders.set(shape.label, decoder)
    const text = decoder.decode(Uint8Array.from(lead, (byte) => (shape === JIS ? byte | 0x80 : byte)))
    // For an invalid second byte the printer prints something two columns wide.
    return Array.from(text).length === 1 ? text : NO_CHARACTER
  }

  #table(): readonly string[] {
    const known = this.#tables.get(this.page)
    if (known !== undefined) return known
    // For a page that the printer does not have, it prints an unknown character.
    const encoding = this.#options.codePages.get(this.page)
    const table = codePageCharacters(encoding ?? 'ascii')
    this.#tables.set(this.page, table)
    return table
  }
}

/** GB18030 has characters of four bytes, whose second byte is a digit. */
function isFourBytes(shape: Shape | null, [, second = 0]: readonly number[]): boolean {
  return shape === SHAPES.gb18030 && second >= 0x30 && second <= 0x39
}
