// The logo on receipts: converted once for each width, again when it changes, and never delaying a receipt.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { PNG } from 'pngjs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { LogoFile } from '#gateway/storage/logo-file.ts'
import { profileById } from '#shared/tickets/printer-profiles.ts'
import { ReceiptLogo } from './receipt-logo.ts'

const thermal = profileById('epson-thermal-203')
let dir: string
let file: LogoFile
let logo: ReceiptLogo
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'receipt-logo-'))
  file = new LogoFile(join(dir, 'logo.png'))
  logo = new ReceiptLogo(file, pino({ level: 'silent' }))
})
afterEach(() => rmSync(dir, { recursive: true }))

/** Black and opaque. */
function png(width: number, height: number): Buffer {
  const picture = new PNG({ width, height })
  for (let i = 3; i < picture.data.length; i += 4) picture.data[i] = 255
  return PNG.sync.write(picture)
}

it('is not wider than the paper of each printer', async () => {
  file.save(png(1_000, 100))
  expect(await logo.bitmap(thermal)).toMatchObject({ widthDots: 576 })
  expect(await logo.bitmap(profileById('generic-58'))).toMatchObject({ widthDots: profileById('generic-58').dots })
})

it('is converted once, and again after it was replaced or removed', async () => {
  file.save(png(64, 10))
  const first = await logo.bitmap(thermal)
  expect(await logo.bitmap(thermal)).toBe(first)
  file.save(png(80, 10))
  expect(await logo.bitmap(thermal)).toMatchObject({ widthDots: 80 })
  file.remove()
  expect(await logo.bitmap(thermal)).toBeNull()
})

it('is left out if there is none, if it is damaged, and on printers with coarse pictures', async () => {
  expect(await logo.bitmap(thermal)).toBeNull()
  file.save(png(64, 10).subarray(0, 40))
  expect(await logo.bitmap(thermal)).toBeNull()
  file.save(png(64, 10))
  expect(await logo.bitmap({ ...thermal, image: 'column8' })).toBeNull()
  expect(await logo.bitmap({ ...thermal, image: 'none' })).toBeNull()
})
