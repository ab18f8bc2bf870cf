// Draws the pictures of tickets that the tests compare with (scripts/ticket/golden). Run it after a change that is meant: npm run pictures.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { systemClock } from '#shared/clock.ts'
import { ResvgRaster } from '#shared/raster/resvg-raster.ts'
import { PICTURE_ORDERS } from '#test/fixtures/picture-orders.ts'
import { drawOrder } from './ticket/draw-order.ts'
import { PaperPictures } from './ticket/paper-picture.ts'

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, 'ticket', 'golden'))
mkdirSync(folder, { recursive: true })
for (const old of readdirSync(folder)) if (old.endsWith('.png')) rmSync(join(folder, old))

const raster = new ResvgRaster({ clock: systemClock })
const pictures = new PaperPictures()
for (const { name, order, options } of PICTURE_ORDERS) {
  const { svg } = await drawOrder(order, options, raster)
  writeFileSync(join(folder, `${name}.png`), await pictures.png(svg))
}
await raster.stop()
process.stdout.write(`drew ${PICTURE_ORDERS.length} tickets into ${folder}\n`)
