// The fonts inside the executable: packed, listed by what they have, and without what another of them draws just so.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { charactersOf } from '#shared/raster/character-map.ts'
import { fontBox } from '#shared/raster/font-box.ts'
import { HAN_ORDER, type HanStyle } from '#shared/raster/font-packs.ts'
import {
  FONTS_ASSET,
  fontIndex,
  fontLicence,
  LICENCE_ASSET,
  type PackagedFont,
  type PlacedFont,
} from '#shared/raster/raster-files.ts'
import { type FontTables, readFont, writeFont } from '#shared/raster/sfnt.ts'
import { outlinesOf, withGlyphsOf, withoutTables } from './reduce-font.ts'

/** The order of the packages: each leaves out shapes that an earlier one has in the same form. */
const REDUCED: readonly HanStyle[] = ['sc', 'tc', 'jp', 'kr']
/** Each Chinese character is one box: nothing is joined, moved or turned. Hangul is composed of its parts. */
const NOT_FOR_HAN = ['GPOS', 'BASE', 'STAT', 'VORG', 'vhea', 'vmtx', 'gasp', 'prep', 'fpgm', 'cvt ', 'DSIG', 'GDEF']
const JAMO = 0x1100

interface ReadFont extends PackagedFont {
  font: FontTables
}

/**
 * Fonts as plain sfnt under brotli: a twelfth smaller than WOFF, whose own packing nothing else can improve.
 * @param pack how the bytes are packed
 * @returns the files of the assets by their names: all fonts, their list, their licence
 */
export async function fontAssets(
  fonts: readonly PackagedFont[],
  work: string,
  pack: (bytes: Uint8Array) => Uint8Array,
): Promise<Record<string, string>> {
  const folder = join(work, 'fonts')
  mkdirSync(folder, { recursive: true })
  const assets: [string, string][] = []
  const write = (name: string, packed: Uint8Array): void => {
    const file = join(folder, `${assets.length}`)
    writeFileSync(file, packed)
    assets.push([name, file])
  }
  const listed: PlacedFont[] = []
  const packedFonts: Uint8Array[] = []
  let first = 0
  for (const each of reducedFonts(await readFonts(fonts))) {
    const ranges = charactersOf(each.font)
    if (ranges.length === 0) continue
    const packed = pack(writeFont(each.font, 'font'))
    listed.push({ ...each, ranges, box: fontBox(each.font), first, bytes: packed.length })
    packedFonts.push(packed)
    first += packed.length
  }
  write(FONTS_ASSET, Buffer.concat(packedFonts))
  const { name, text } = fontIndex(listed)
  write(name, pack(new TextEncoder().encode(text)))
  write(LICENCE_ASSET, pack(new TextEncoder().encode(await fontLicence())))
  return Object.fromEntries(assets)
}

async function readFonts(fonts: readonly PackagedFont[]): Promise<ReadFont[]> {
  return Promise.all(fonts.map(async (each) => ({ ...each, font: await readFont(readFileSync(each.file)) })))
}

/** The same fonts, those of Chinese characters without what a text of their style gets from the next ones. */
export function reducedFonts(fonts: readonly ReadFont[]): ReadFont[] {
  const outlines = new Map<HanStyle, Map<number, string>>()
  for (const style of REDUCED) {
    const own = fonts.filter(({ pack }) => pack.han === style)
    outlines.set(style, new Map(own.flatMap(({ font }) => [...outlinesOf(font)])))
  }
  return fonts.map((each) => {
    const { han } = each.pack
    if (han === undefined) return each
    const next = behind(han).flatMap((style) => outlines.get(style) ?? [])
    const kept = [...outlinesOf(each.font)].filter(([point, outline]) => {
      // Equal to what the first of them has, be that its own or left to another one.
      return next.find((shapes) => shapes.has(point))?.get(point) !== outline
    })
    const points = new Set(kept.map(([point]) => point))
    const hasJamo = points.has(JAMO)
    const bare = withoutTables(each.font, hasJamo ? NOT_FOR_HAN : [...NOT_FOR_HAN, 'GSUB'])
    return { ...each, font: hasJamo ? bare : withGlyphsOf(bare, points) }
  })
}

/** Styles that are asked behind this one and were reduced before it, in the order in which they are asked. */
function behind(style: HanStyle): HanStyle[] {
  const before = REDUCED.slice(0, REDUCED.indexOf(style))
  return HAN_ORDER[style].filter((each) => before.includes(each))
}
