// The tickets of twenty-three orders as pictures (golden/*.png): a change there is a change on paper. One that is meant: npm run pictures.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { readPng } from '#shared/raster/png.ts'
import { ResvgRaster } from '#shared/raster/resvg-raster.ts'
import { PICTURE_ORDERS } from '#test/fixtures/picture-orders.ts'
import { drawOrder } from './draw-order.ts'
import { PaperPictures } from './paper-picture.ts'

const FOLDER = join(import.meta.dirname, 'golden')
const raster = new ResvgRaster({ clock: systemClock })
const pictures = new PaperPictures()
afterAll(() => raster.stop())

/** Of the rows of dots that differ, the first; null when none does. */
function firstDifferentRow(a: Uint8Array, b: Uint8Array, width: number): number | null {
  const at = a.findIndex((dot, i) => dot !== b[i])
  return at === -1 ? null : Math.floor(at / width)
}

it.each(PICTURE_ORDERS.map((each) => [each.name, each] as const))(
  '%s looks as it did',
  async (name, { order, options }) => {
    const { svg, warnings } = await drawOrder(order, options, raster)
    expect(warnings).toEqual([])
    const drawn = await readPng(await pictures.png(svg))
    const kept = await readPng(readFileSync(join(FOLDER, `${name}.png`)))
    const hint = `${name}.png: draw it anew with "npm run pictures" and look at both`
    expect([drawn.width, drawn.height], hint).toEqual([kept.width, kept.height])
    expect(firstDifferentRow(drawn.black, kept.black, kept.width), hint).toBeNull()
  },
)

it('there are no pictures of other orders', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(PICTURE_ORDERS.map(({ name }) => `${name}.png`).sort())
})

it('bold is blacker, and red differs from black', async () => {
  const blackness = async (style: string) => {
    const text = `<text x="4" y="20" font-size="20" ${style}>WWW</text>`
    const { black } = await readPng(
      await pictures.png(
        `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30"><rect width="60" height="30" fill="#fff"/>${text}</svg>`,
      ),
    )
    return { ink: black.filter((dot) => dot > 0).length, black: black.filter((dot) => dot === 255).length }
  }
  const plain = await blackness('fill="#111"')
  const bold = await blackness('fill="#111" font-weight="bold"')
  expect(bold.black).toBeGreaterThan(plain.black * 1.15)
  const red = await blackness('fill="#c1121f"')
  expect(red).toMatchObject({ black: 0 })
  expect(red.ink).toBeGreaterThan(plain.ink * 0.8)
})
