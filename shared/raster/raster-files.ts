// The only place of this room that touches files: the drawing engine, its worker, the fonts that are built in, the fonts that were installed.
import { promises as fs } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
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

const require = createRequire(import.meta.url)

export const WORKER_FILE = new URL('./raster-worker.mjs', import.meta.url)

/** The drawing engine, WebAssembly. */
export function readEngine(): Promise<Uint8Array<ArrayBuffer>> {
  return fs.readFile(require.resolve('@resvg/resvg-wasm/index_bg.wasm'))
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

/** Each package has its font in parts, and says in unicode.json which characters stand in which. */
async function sourcesOf({ package: name, weight, isMonospaced = false }: BasePack): Promise<FontSource[]> {
  const folder = dirname(require.resolve(`@fontsource/${name}/package.json`))
  const parts = JSON.parse(await fs.readFile(join(folder, 'unicode.json'), 'utf8')) as Record<string, string>
  return Object.entries(parts).map(([part, ranges]) => {
    const file = `${name}-${part.replace(/[[\]]/g, '')}-${weight}-normal.woff`
    return {
      name: `${name}/${part}`,
      ranges: readRanges(ranges),
      isMonospaced,
      read: () => fs.readFile(join(folder, 'files', file)),
    }
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
