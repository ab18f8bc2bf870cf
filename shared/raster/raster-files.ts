// The only place of this room that touches files: the drawing engine, its worker, the fonts that are built in, the fonts that were installed.
import { promises as fs } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { getAsset, isSea } from 'node:sea'
import { brotliDecompressSync } from 'node:zlib'
import type { CharacterRange } from './sfnt.ts'

/** A font that can be read when it is needed. */
export interface FontSource {
  /** Package and part, or the name of an installed file. */
  name: string
  /** The characters that it is said to have; null: only its own character map tells. */
  ranges: readonly CharacterRange[] | null
  /** Every character takes half of the font's size: it stands in the columns of the printer's own characters. */
  isMonospaced: boolean
  /** The .ttf, .otf or .woff file. */
  read(): Promise<Uint8Array>
}

interface BasePack {
  package: string
  scripts: string
  weight: 400 | 700
  isMonospaced?: boolean
}

/** The built-in fonts in the order in which they are asked for a character. Installed ones come behind the first. */
const TEXT_PACK: BasePack = {
  package: 'noto-sans-mono',
  scripts: 'Latin, Greek, Cyrillic, Vietnamese',
  weight: 400,
  isMonospaced: true,
}
const SCRIPT_PACKS: readonly BasePack[] = [
  { package: 'noto-sans-arabic', scripts: 'Arabic, Persian, Urdu', weight: 400 },
  { package: 'noto-sans-hebrew', scripts: 'Hebrew', weight: 400 },
  { package: 'noto-sans-thai', scripts: 'Thai', weight: 400 },
  { package: 'noto-sans-sc', scripts: 'Chinese, Japanese kana', weight: 400 },
]
const EMOJI_PACK: BasePack = { package: 'noto-emoji', scripts: 'Emoji', weight: 700 }
const FONT_FILE = /\.(ttf|otf|woff)$/i

/** Names of this room's files inside the one executable; `.br`: packed with brotli. */
const ENGINE_ASSET = 'raster/engine.wasm.br'
const WORKER_ASSET = 'raster/worker.cjs'

/** What the worker runs: a module's file, or the text of a program (inside the executable there are no files). */
export function workerProgram(): { program: URL | string; isText: boolean } {
  if (isSea()) return { program: getAsset(WORKER_ASSET, 'utf8'), isText: true }
  return { program: new URL('./raster-worker.mjs', import.meta.url), isText: false }
}

/** The drawing engine. Threads that get it share the code that it has become by drawing: most of a first drawing is the making of that. */
export async function readEngine(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(
    isSea() ? new Uint8Array(brotliDecompressSync(getAsset(ENGINE_ASSET))) : await fs.readFile(engineFile()),
  )
}

/** What the executable must contain for this room: names of its assets and the files that they are made from. */
export async function packagedFiles(): Promise<{
  engine: [string, string]
  worker: [string, string]
  fonts: [string, string][]
}> {
  const fonts: [string, string][] = []
  for (const pack of [TEXT_PACK, ...SCRIPT_PACKS, EMOJI_PACK]) {
    const folder = packFolder(pack.package)
    const names = ['unicode.json', ...(await partsOf(pack)).map(({ file }) => `files/${file}`)]
    fonts.push(...names.map((name): [string, string] => [fontAsset(pack.package, name), join(folder, name)]))
  }
  const worker = new URL('./raster-worker.mjs', import.meta.url).pathname
  return { engine: [ENGINE_ASSET, engineFile()], worker: [WORKER_ASSET, worker], fonts }
}

const engineFile = (): string => createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')
const packFolder = (pack: string): string =>
  dirname(createRequire(import.meta.url).resolve(`@fontsource/${pack}/package.json`))
const fontAsset = (pack: string, name: string): string => `fonts/${pack}/${name}.br`

async function readPackFile(pack: string, name: string): Promise<Uint8Array> {
  if (isSea()) return new Uint8Array(brotliDecompressSync(getAsset(fontAsset(pack, name))))
  return fs.readFile(join(packFolder(pack), name))
}

export interface BaseFonts {
  text: FontSource[]
  scripts: FontSource[]
  emoji: FontSource[]
}

export async function baseFonts(): Promise<BaseFonts> {
  const [text, emoji, ...scripts] = await Promise.all([TEXT_PACK, EMOJI_PACK, ...SCRIPT_PACKS].map(sourcesOf))
  return { text: text ?? [], emoji: emoji ?? [], scripts: scripts.flat() }
}

/** Fonts in the folder, by name. None when there is no such folder. */
export async function installedFonts(folder: string): Promise<FontSource[]> {
  const names = await fs.readdir(folder).catch(() => [])
  return names
    .filter((name) => FONT_FILE.test(name))
    .sort()
    .map((name) => ({ name, ranges: null, isMonospaced: false, read: () => fs.readFile(join(folder, name)) }))
}

/** What is built in, with what can be written with it. */
export const BASE_PACKAGES: readonly { name: string; scripts: string }[] = [TEXT_PACK, ...SCRIPT_PACKS, EMOJI_PACK].map(
  ({ package: name, scripts }) => ({ name, scripts }),
)

async function sourcesOf(pack: BasePack): Promise<FontSource[]> {
  const parts = await partsOf(pack)
  return parts.map(({ part, ranges, file }) => ({
    name: `${pack.package}/${part}`,
    ranges: readRanges(ranges),
    isMonospaced: pack.isMonospaced ?? false,
    read: () => readPackFile(pack.package, `files/${file}`),
  }))
}

/** Each package has its font in parts, and says in unicode.json which characters stand in which. */
async function partsOf({ package: pack, weight }: BasePack): Promise<{ part: string; ranges: string; file: string }[]> {
  const text = new TextDecoder().decode(await readPackFile(pack, 'unicode.json'))
  return Object.entries(JSON.parse(text) as Record<string, string>).map(([part, ranges]) => {
    const file = `${pack}-${part.replace(/[[\]]/g, '')}-${weight}-normal.woff`
    return { part, ranges, file }
  })
}

/** `U+0-ff,U+131` */
function readRanges(text: string): CharacterRange[] {
  const ranges = text.split(',').map((part) => {
    const [first = '', last = first] = part.trim().replace(/^U\+/i, '').split('-')
    return { first: Number.parseInt(first, 16), last: Number.parseInt(last, 16) }
  })
  return ranges.sort((a, b) => a.first - b.first)
}
