// The command behind `npm run ticket`: an order in JSON in, its ticket as text out, and as a picture.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { systemClock } from '#shared/clock.ts'
import { ResvgRaster } from '#shared/raster/resvg-raster.ts'
import { harmless } from '#shared/terminal-text.ts'
import { drawOrder } from './ticket/draw-order.ts'
import { HELP, parseTicketOptions, type TicketOptions } from './ticket/options.ts'
import { orderFromJson } from './ticket/order-file.ts'
import { PaperPictures } from './ticket/paper-picture.ts'
import { TicketError } from './ticket/ticket-error.ts'

/** Where npm was called: paths are typed from there. */
const BASE_DIR = process.env['INIT_CWD'] ?? process.cwd()

async function run(options: TicketOptions): Promise<void> {
  const nowMs = options.nowMs ?? systemClock.now()
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const name = options.file === '-' ? 'standard input' : options.file
  const order = orderFromJson(readOrder(options.file), name, { nowMs, timeZone })
  const raster = new ResvgRaster({ clock: systemClock })
  try {
    const { text, svg, warnings } = await drawOrder(order, { ...options, nowMs }, raster)
    process.stdout.write(`${harmless(text)}\n`)
    for (const warning of warnings) process.stderr.write(`${harmless(warning)}\n`)
    if (options.png !== null) writePicture(options.png, await new PaperPictures().png(svg))
  } finally {
    await raster.stop()
  }
}

function readOrder(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : resolve(BASE_DIR, file), 'utf8')
  } catch (error) {
    throw new TicketError(`${file}: cannot be read: ${messageOf(error)}`, { cause: error })
  }
}

function writePicture(file: string, bytes: Uint8Array): void {
  try {
    writeFileSync(resolve(BASE_DIR, file), bytes)
  } catch (error) {
    throw new TicketError(`${file}: cannot be written: ${messageOf(error)}`, { cause: error })
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

try {
  const options = parseTicketOptions(process.argv.slice(2))
  if (options === null) process.stdout.write(HELP)
  else await run(options)
} catch (error) {
  if (!(error instanceof TicketError)) throw error
  process.stderr.write(`${harmless(error.message)}\n`)
  process.exitCode = 1
}
