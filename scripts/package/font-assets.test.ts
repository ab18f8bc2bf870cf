// What the executable leaves out of its fonts changes no picture.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { HAN_ORDER, type HanStyle } from '#shared/raster/font-packs.ts'
import { fontLicence, packagedFiles } from '#shared/raster/raster-files.ts'
import { readFont, writeFont } from '#shared/raster/sfnt.ts'
import { reducedFonts } from './font-assets.ts'
import { outlinesOf } from './reduce-font.ts'

type Fonts = ReturnType<typeof reducedFonts>

/** The outline that a text of each style gets for each Chinese character. */
function outlines(fonts: Fonts): Map<string, string> {
  const own = (style: HanStyle) =>
    new Map(fonts.filter(({ pack }) => pack.han === style).flatMap(({ font }) => [...outlinesOf(font)]))
  const byStyle = { sc: own('sc'), tc: own('tc'), jp: own('jp'), kr: own('kr') }
  const shown = new Map<string, string>()
  for (const [style, order] of Object.entries(HAN_ORDER)) {
    for (const each of order) {
      for (const [point, outline] of byStyle[each]) {
        const key = `${style} ${point.toString(16)}`
        if (!shown.has(key)) shown.set(key, outline)
      }
    }
  }
  return shown
}

it('every Chinese, Japanese and Korean character has the same glyph per language as with the full fonts, from half of their bytes', async () => {
  const { fonts } = await packagedFiles()
  const han = fonts.filter(({ pack }) => pack.han !== undefined)
  const whole = await Promise.all(han.map(async (each) => ({ ...each, font: await readFont(readFileSync(each.file)) })))
  const reduced = reducedFonts(whole)
  const [before, after] = [outlines(whole), outlines(reduced)]
  expect(after.size).toBe(before.size)
  expect([...before].filter(([key, outline]) => after.get(key) !== outline)).toEqual([])
  const bytes = (each: Fonts) => each.reduce((sum, { font }) => sum + writeFont(font, 'font').length, 0)
  expect(bytes(reduced)).toBeLessThan(bytes(whole) * 0.75)
})

it('the notice of the fonts’ licence names every package and holds the licence', async () => {
  const notice = await fontLicence()
  expect(notice).toContain('noto-sans-devanagari: Copyright')
  expect(notice).toContain('noto-sans-yi: Copyright')
  expect(notice).toContain('SIL OPEN FONT LICENSE Version 1.1')
})
