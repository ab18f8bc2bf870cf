// Which font draws a character: the first that has it. Fonts are read when a text needs them, never before.

import { scriptsOf } from './font-scripts.ts'
import { BASE_PACKAGES, baseFonts, type FontSource, installedFonts } from './raster-files.ts'
import { type CharacterRange, charactersOf, includes, readFont, writeFont } from './sfnt.ts'

export interface Face {
  id: number
  /** The family by which a picture names it. */
  family: string
  isMonospaced: boolean
}

/** Fonts as a person sees them. */
export interface FontPack {
  /** Package, or name of the file. */
  name: string
  /** What can be written with it, in words: `Arabic`. */
  scripts: string
  /** `built-in`: part of the program; `installed`: a file in the folder; `damaged`: a file there that is no font. */
  state: 'built-in' | 'installed' | 'damaged'
}

interface Shelf {
  source: FontSource
  face: Face
  /** Known once the font was read; null: it cannot be read. */
  ranges: readonly CharacterRange[] | null | undefined
  /** Kept from reading it until somebody takes it. */
  file: Uint8Array | null
  /** While it is being read. */
  loading: Promise<void> | null
}

interface Shelves {
  /** For text, and for pictures: the same fonts in another order. */
  text: readonly Shelf[]
  emoji: readonly Shelf[]
}

// Joiners and variation selectors stand in no font of their own right.
const UNSEEN = /\u200c|\u200d|\p{Variation_Selector}/gu
const MAX_REMEMBERED = 10_000

export class FontLibrary {
  readonly #folder: string | null
  readonly #faces = new Map<string, Face>()
  #shelves: Promise<Shelves> | null = null

  /** @param folder of installed fonts; null: only the built-in ones */
  constructor(folder: string | null) {
    this.#folder = folder
  }

  /** The face that is remembered for this grapheme: no waiting. */
  known(grapheme: string): Face | undefined {
    return this.#faces.get(grapheme)
  }

  /** The first face that has the whole grapheme, else the first that has its first character, else the text face (which draws a box). */
  async find(grapheme: string, isEmoji: boolean): Promise<Face> {
    const known = this.#faces.get(grapheme)
    if (known !== undefined) return known
    const { text, emoji } = await this.#open()
    const shelves = isEmoji ? emoji : text
    const points = Array.from(grapheme.replace(UNSEEN, ''), (character) => character.codePointAt(0) ?? 0)
    const shelf = (await firstWith(shelves, points)) ?? (await firstWith(shelves, points.slice(0, 1))) ?? text[0]
    if (shelf === undefined) throw new Error('There is no font')
    if (this.#faces.size >= MAX_REMEMBERED) this.#faces.clear()
    this.#faces.set(grapheme, shelf.face)
    return shelf.face
  }

  /** The font of a face, by its id, as an sfnt file with the face's family name. The caller owns it. */
  async take(face: number): Promise<Uint8Array> {
    const { text } = await this.#open()
    const shelf = text.find((each) => each.face.id === face)
    if (shelf === undefined) throw new Error(`There is no font ${face}`)
    if (shelf.file === null) await load(shelf)
    const { file } = shelf
    shelf.file = null
    if (file === null) throw new Error(`The font ${shelf.source.name} cannot be read`)
    return file
  }

  async packs(): Promise<FontPack[]> {
    const { text } = await this.#open()
    const installed = text.filter(({ source }) => source.ranges === null)
    for (const shelf of installed) if (shelf.ranges === undefined) await load(shelf)
    return [
      ...BASE_PACKAGES.map(({ name, scripts }): FontPack => ({ name, scripts, state: 'built-in' })),
      ...installed.map(({ source: { name }, ranges = null }): FontPack => {
        return ranges === null
          ? { name, scripts: '', state: 'damaged' }
          : { name, scripts: scriptsOf(ranges), state: 'installed' }
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
    const ordered = [...base.text, ...installed, ...base.scripts, ...base.emoji]
    const text = ordered.map((source, id): Shelf => {
      const face = { id, family: `f${id}`, isMonospaced: source.isMonospaced }
      return { source, face, ranges: undefined, file: null, loading: null }
    })
    const isEmoji = (shelf: Shelf) => base.emoji.includes(shelf.source)
    return { text, emoji: [...text.filter(isEmoji), ...text.filter((shelf) => !isEmoji(shelf))] }
  }
}

async function firstWith(shelves: readonly Shelf[], points: readonly number[]): Promise<Shelf | undefined> {
  for (const shelf of shelves) {
    const { ranges } = shelf.source
    if (ranges !== null && !points.every((point) => includes(ranges, point))) continue
    if (shelf.ranges === undefined) await load(shelf)
    const { ranges: found } = shelf
    if (found !== null && found !== undefined && points.every((point) => includes(found, point))) return shelf
  }
  return undefined
}

/** Reads the font and what it has, once for all who wait for it. A damaged one has nothing. */
function load(shelf: Shelf): Promise<void> {
  shelf.loading ??= readShelf(shelf).finally(() => {
    shelf.loading = null
  })
  return shelf.loading
}

async function readShelf(shelf: Shelf): Promise<void> {
  try {
    const font = await readFont(await shelf.source.read())
    shelf.ranges = charactersOf(font)
    shelf.file = writeFont(font, shelf.face.family)
  } catch {
    shelf.ranges = null
    shelf.file = null
  }
}
