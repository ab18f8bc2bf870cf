// Selects the font that draws a character: the first that has it. Fonts are read only when a text needs them.

import { isEmoji } from '#shared/tickets/display-width.ts'
import { type CharacterRanges, includes } from './character-map.ts'
import { LATIN_SIZE, sizeInLine, type TextSize } from './font-box.ts'
import { BASE_PACKS, HAN_ORDER, type HanStyle } from './font-packs.ts'
import { baseFonts, type FontSource, installedFonts } from './raster-files.ts'
import { readFont, writeFont } from './sfnt.ts'

export interface Face {
  id: number
  /** Font family name in the SVG. */
  family: string
  isMonospaced: boolean
  text: TextSize
}

/** The font for a visible character. */
export interface Found {
  face: Face
  /** The code points that this face does not have, in order; '' nearly always. All of them: no font has its first. */
  missing: string
}

/** A font, as shown to people. */
export interface FontPack {
  /** Package, or name of the file. */
  name: string
  /** The scripts for which it can be used, in words: `Arabic`. */
  scripts: string
  /** `built-in`: part of the program. `installed`: a file in the folder. `damaged`: a file in the folder that is no valid font. */
  state: 'built-in' | 'installed' | 'damaged'
}

interface Shelf {
  source: FontSource
  id: number
  /** Undefined before the font is read; null if it cannot be read. */
  known: { face: Face; ranges: CharacterRanges } | null | undefined
  /** Set while it is being read. */
  loading: Promise<void> | null
}

interface Shelves {
  all: readonly Shelf[]
  /** The fonts in order of preference: for text in each style of Chinese characters, and for pictures. */
  text: Readonly<Record<HanStyle, readonly Shelf[]>>
  emoji: readonly Shelf[]
}

// Fonts have no glyphs for joiners and variation selectors.
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu
const MAX_REMEMBERED = 10_000

export class FontLibrary {
  readonly #folder: string | null
  readonly #found = new Map<string, Found>()
  #shelves: Promise<Shelves> | null = null

  /** @param folder of installed fonts; null: only the built-in ones */
  constructor(folder: string | null) {
    this.#folder = folder
  }

  /** The cached result for a grapheme, without reading fonts. */
  known(grapheme: string, style: HanStyle): Found | undefined {
    return this.#found.get(style + grapheme)
  }

  /**
   * The first face that has the whole grapheme, otherwise the first that has its first character, otherwise the text face, which has none
   * of it.
   */
  async find(grapheme: string, isPicture: boolean, style: HanStyle): Promise<Found> {
    const known = this.known(grapheme, style)
    if (known !== undefined) return known
    const { text, emoji } = await this.#open()
    const shelves = isPicture ? emoji : text[style]
    const points = Array.from(grapheme.replace(UNSEEN, ''), (character) => character.codePointAt(0) ?? 0)
    const whole = await firstWith(shelves, points)
    const first = whole ?? (await firstWith(shelves, points.slice(0, 1))) ?? (await firstWith(shelves, []))
    if (first === null) throw new Error('There is no font')
    const { face, ranges } = first
    const missing = whole === null ? points.filter((point) => !includes(ranges, point)) : []
    const found = { face, missing: String.fromCodePoint(...missing) }
    if (this.#found.size >= MAX_REMEMBERED) this.#found.clear()
    this.#found.set(style + grapheme, found)
    return found
  }

  /** Like TextRaster.missing. Reads only the lists of characters, no font. */
  async missing(graphemes: Iterable<string>): Promise<Map<string, string>> {
    const missing = new Map<string, string>()
    for (const grapheme of new Set(graphemes)) {
      // The available characters are the same in every style of Chinese.
      const found = await this.find(grapheme, isEmoji(grapheme), 'sc')
      if (found.missing !== '') missing.set(grapheme, found.missing)
    }
    return missing
  }

  /** The font of a face, by its id, as an sfnt file with the face's family name. The caller owns the bytes. */
  async take(face: number): Promise<Uint8Array> {
    const { all } = await this.#open()
    const shelf = all.find(({ id }) => id === face)
    if (shelf === undefined) throw new Error(`There is no font ${face}`)
    return writeFont(await readFont(await shelf.source.read()), familyOf(shelf))
  }

  async packs(): Promise<FontPack[]> {
    const { all } = await this.#open()
    const installed = all.filter(({ source }) => source.isInstalled)
    for (const shelf of installed) if (shelf.known === undefined) await load(shelf)
    return [
      ...BASE_PACKS.map(({ package: name, scripts }): FontPack => ({ name, scripts, state: 'built-in' })),
      ...installed.map(({ source: { name }, known }): FontPack => {
        return known == null
          ? { name, scripts: '', state: 'damaged' }
          : { name, scripts: scriptsOf(known.ranges), state: 'installed' }
      }),
    ]
  }

  #open(): Promise<Shelves> {
    this.#shelves ??= this.#list().catch((error: unknown) => {
      this.#shelves = null
      throw error
    })
    return this.#shelves
  }

  async #list(): Promise<Shelves> {
    const base = await baseFonts()
    const installed = this.#folder === null ? [] : await installedFonts(this.#folder)
    let count = 0
    const shelvesOf = (sources: readonly FontSource[]) =>
      sources.map((source): Shelf => ({ source, id: count++, known: undefined, loading: null }))
    const [text, own, scripts] = [shelvesOf(base.text), shelvesOf(installed), shelvesOf(base.scripts)]
    const [han, symbols, emoji] = [shelvesOf(base.han), shelvesOf(base.symbols), shelvesOf(base.emoji)]
    const ordered = (style: HanStyle): Shelf[] => {
      const styled = HAN_ORDER[style].flatMap((each) => han.filter(({ source }) => source.han === each))
      return [...text, ...own, ...scripts, ...styled, ...symbols, ...emoji]
    }
    const byStyle = { sc: ordered('sc'), tc: ordered('tc'), jp: ordered('jp'), kr: ordered('kr') }
    return { all: byStyle.sc, text: byStyle, emoji: [...emoji, ...byStyle.sc.slice(0, -emoji.length)] }
  }
}

const familyOf = ({ id }: Shelf): string => `f${id}`

async function firstWith(
  shelves: readonly Shelf[],
  points: readonly number[],
): Promise<NonNullable<Shelf['known']> | null> {
  for (const shelf of shelves) {
    const { ranges } = shelf.source
    if (ranges !== null && !points.every((point) => includes(ranges, point))) continue
    if (shelf.known === undefined) await load(shelf)
    const { known } = shelf
    if (known != null && points.every((point) => includes(known.ranges, point))) return known
  }
  return null
}

/** Reads the characters of the font, once for all concurrent callers. A damaged font has none. */
function load(shelf: Shelf): Promise<void> {
  shelf.loading ??= readShelf(shelf).finally(() => {
    shelf.loading = null
  })
  return shelf.loading
}

async function readShelf(shelf: Shelf): Promise<void> {
  const { source, id } = shelf
  try {
    const { ranges, box } = await source.facts()
    const text = source.standsAmongLatin ? LATIN_SIZE : sizeInLine(box)
    shelf.known = { face: { id, family: familyOf(shelf), isMonospaced: source.isMonospaced, text }, ranges }
  } catch {
    shelf.known = null
  }
}

// The scripts of a font, found by letters that only such fonts have. Pure.
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

/** `Latin, Korean`, or `other` if it has none of them. */
function scriptsOf(ranges: CharacterRanges): string {
  const has = (letters: string) => Array.from(letters).every((letter) => includes(ranges, letter.codePointAt(0) ?? 0))
  const scripts = SIGNS.filter(([, letters]) => has(letters)).map(([script]) => script)
  return scripts.length === 0 ? 'other' : scripts.join(', ')
}
