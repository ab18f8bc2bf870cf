// Reads all files of this folder: the drawing engine, its worker, the built-in fonts and the installed fonts.
import { promises as fs } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { getAsset, getRawAsset, isSea } from 'node:sea'
import { brotliDecompressSync } from 'node:zlib'
import { type CharacterRanges, charactersOf, readRanges, writeRanges } from './character-map.ts'
import { type FontBox, fontBox } from './font-box.ts'
import {
  BASE_PACKS,
  type BasePack,
  EMOJI_PACK,
  HAN_PACKS,
  type HanStyle,
  SCRIPT_PACKS,
  SYMBOL_PACKS,
  TEXT_PACK,
} from './font-packs.ts'
import { readFont } from './sfnt.ts'

/** Facts from the tables of a font file. */
export interface FontFacts {
  /** Its characters. */
  ranges: CharacterRanges
  box: FontBox
}

/** A font that is read on demand. */
export interface FontSource {
  /** Package and part, or the name of an installed file. */
  name: string
  /** Characters that it may have. Null: only the file itself shows. */
  ranges: CharacterRanges | null
  /** Every character is half the font size wide, as wide as the printer's own characters. */
  isMonospaced: boolean
  isInstalled: boolean
  /** See BasePack. */
  standsAmongLatin: boolean
  han: HanStyle | null
  /** Reads the facts from the tables, without the rest of the file. Rejects for an invalid font. */
  facts(): Promise<FontFacts>
  /** Reads the .ttf, .otf or .woff file. */
  read(): Promise<Uint8Array>
}

const FONT_FILE = /\.(ttf|otf|woff)$/i

/** Names of this folder's files inside the executable. `.br`: compressed with brotli. */
const ENGINE_ASSET = 'raster/engine.wasm.br'
const WORKER_ASSET = 'raster/worker.cjs'

/** The program of the worker: a module file, or text inside the executable, which has no files. */
export function workerProgram(): { program: URL | string; isText: boolean } {
  if (isSea()) return { program: getAsset(WORKER_ASSET, 'utf8'), isText: true }
  return { program: new URL('./raster-worker.mjs', import.meta.url), isText: false }
}

/** The compiled drawing engine. Threads share its compiled code, which makes up most of the time of a first drawing. */
export async function readEngine(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(
    isSea() ? new Uint8Array(brotliDecompressSync(getAsset(ENGINE_ASSET))) : await fs.readFile(engineFile()),
  )
}

const engineFile = (): string => createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')
const packFolder = (pack: string): string =>
  dirname(createRequire(import.meta.url).resolve(`@fontsource/${pack}/package.json`))

export interface BaseFonts {
  text: FontSource[]
  scripts: FontSource[]
  han: FontSource[]
  symbols: FontSource[]
  emoji: FontSource[]
}

export async function baseFonts(): Promise<BaseFonts> {
  const index = isSea() ? readIndex() : null
  const of = async (packs: readonly BasePack[]) =>
    (await Promise.all(packs.map((pack) => sourcesOf(pack, index)))).flat()
  return {
    text: await of([TEXT_PACK]),
    scripts: await of(SCRIPT_PACKS),
    han: await of(HAN_PACKS),
    symbols: await of(SYMBOL_PACKS),
    emoji: await of([EMOJI_PACK]),
  }
}

/** The fonts in the folder, by name. Empty if the folder does not exist. */
export async function installedFonts(folder: string): Promise<FontSource[]> {
  const names = await fs.readdir(folder).catch(() => [])
  return names
    .filter((name) => FONT_FILE.test(name))
    .sort()
    .map((name): FontSource => {
      const read = () => fs.readFile(join(folder, name))
      const facts = async () => factsOf(await read())
      return {
        name,
        ranges: null,
        isMonospaced: false,
        isInstalled: true,
        standsAmongLatin: false,
        han: null,
        facts,
        read,
      }
    })
}

async function sourcesOf(pack: BasePack, index: FontIndex | null): Promise<FontSource[]> {
  const { package: name, isMonospaced = false, standsAmongLatin = false, han = null } = pack
  const kind = { isMonospaced, isInstalled: false, standsAmongLatin, han }
  if (index !== null) {
    return Object.entries(index[name] ?? {}).map(([part, { ranges, box, first, bytes }]): FontSource => {
      const facts = { ranges: readRanges(ranges), box }
      const read = async () =>
        new Uint8Array(brotliDecompressSync(new Uint8Array(getRawAsset(FONTS_ASSET) as ArrayBuffer, first, bytes)))
      return { ...kind, name: `${name}/${part}`, ranges: facts.ranges, facts: async () => facts, read }
    })
  }
  const parts = await partsOf(pack)
  return parts.map(({ part, ranges, file }): FontSource => {
    const read = () => fs.readFile(file)
    return { ...kind, name: `${name}/${part}`, ranges, facts: async () => factsOf(await read()), read }
  })
}

async function factsOf(file: Uint8Array): Promise<FontFacts> {
  const font = await readFont(file, ['cmap', 'head'])
  return { ranges: charactersOf(font), box: fontBox(font) }
}

/** The parts of a package in node_modules. Its unicode.json lists the characters of each part. */
async function partsOf(pack: BasePack): Promise<{ part: string; ranges: CharacterRanges | null; file: string }[]> {
  const { package: name, weight, parts } = pack
  const folder = packFolder(name)
  const declared = JSON.parse(await fs.readFile(join(folder, 'unicode.json'), 'utf8')) as Record<string, string>
  return Object.entries(declared)
    .filter(([part]) => parts === 'all' || (parts === 'numbered' ? part.startsWith('[') : parts.includes(part)))
    .map(([key, ranges]) => {
      const part = key.replace(/[[\]]/g, '')
      const file = join(folder, 'files', `${name}-${part}-${weight}-normal.woff`)
      // A package with one part declares only Latin, but contains more.
      return { part, ranges: Object.keys(declared).length === 1 ? null : readRanges(ranges), file }
    })
}

/** The characters of every part of every package, and its position in the asset of all fonts, so that no font is read for them. */
interface IndexedFont {
  ranges: string
  box: FontBox
  first: number
  bytes: number
}
type FontIndex = Readonly<Record<string, Readonly<Record<string, IndexedFont>>>>

const INDEX_ASSET = 'fonts/index.json.br'
/** All fonts in one asset. At start the program reads the beginning of each asset, and with it the memory pages around it. */
export const FONTS_ASSET = 'fonts/all'

function readIndex(): FontIndex {
  return JSON.parse(brotliDecompressSync(getAsset(INDEX_ASSET)).toString()) as FontIndex
}

/** A built-in font to put into the executable. */
export interface PackagedFont {
  pack: BasePack
  part: string
  /** The file in node_modules. */
  file: string
}

/** The files of this folder that the executable must contain: names of its assets, and their source files. */
export async function packagedFiles(): Promise<{
  engine: [string, string]
  worker: [string, string]
  fonts: PackagedFont[]
}> {
  const fonts: PackagedFont[] = []
  for (const pack of BASE_PACKS) fonts.push(...(await partsOf(pack)).map(({ part, file }) => ({ pack, part, file })))
  const worker = new URL('./raster-worker.mjs', import.meta.url).pathname
  return { engine: [ENGINE_ASSET, engineFile()], worker: [WORKER_ASSET, worker], fonts }
}

/** A packed font, and its position in the asset of all fonts. */
export interface PlacedFont extends PackagedFont, FontFacts {
  first: number
  bytes: number
}

/** The asset that lists the packed fonts. */
export function fontIndex(fonts: readonly PlacedFont[]): { name: string; text: string } {
  const index: Record<string, Record<string, IndexedFont>> = {}
  for (const { pack, part, ranges, box, first, bytes } of fonts) {
    index[pack.package] = { ...index[pack.package], [part]: { ranges: writeRanges(ranges), box, first, bytes } }
  }
  return { name: INDEX_ASSET, text: JSON.stringify(index) }
}

export const LICENCE_ASSET = 'fonts/licence.txt.br'

/** The copyright notices of all built-in fonts, and their licence once. They must accompany the fonts. */
export async function fontLicence(): Promise<string> {
  if (isSea()) return brotliDecompressSync(getAsset(LICENCE_ASSET)).toString()
  const notices: string[] = []
  let licence = ''
  for (const { package: name } of BASE_PACKS) {
    // Some packages have no licence file and only name the licence.
    const text = await fs.readFile(join(packFolder(name), 'LICENSE'), 'utf8').catch(() => '')
    const [copyright = '', ...rest] = text.split('\n')
    notices.push(`${name}: ${copyright === '' ? 'Copyright The Noto Project Authors' : copyright.trim()}`)
    licence ||= rest.join('\n').trim()
  }
  return `Fonts inside of this program, from npm's @fontsource packages:\n\n${notices.join('\n')}\n\n${licence}\n`
}
