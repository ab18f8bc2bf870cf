// Logos: any valid PNG becomes dots at most as wide as the paper; other files are refused with a reason.
import { deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { type Bitmap, rowBytes } from '#shared/tickets/bitmap.ts'
import { logoBitmap } from './logo.ts'

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

type Ink = (x: number, y: number) => readonly [red: number, green: number, blue: number, alpha: number]

function png(
  width: number,
  height: number,
  ink: Ink,
  options: { colorType?: number; filterType?: number } = {},
): Buffer {
  const picture = new PNG({ width, height })
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) picture.data.set(ink(x, y), (y * width + x) * 4)
  return PNG.sync.write(picture, options)
}

const isBlack = (bitmap: Bitmap, x: number, y: number) =>
  ((bitmap.rows[y * rowBytes(bitmap) + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0

function share(bitmap: Bitmap): number {
  let count = 0
  for (let y = 0; y < bitmap.heightDots; y++)
    for (let x = 0; x < bitmap.widthDots; x++) count += Number(isBlack(bitmap, x, y))
  return count / (bitmap.widthDots * bitmap.heightDots)
}

const leftHalf: Ink = (x) => (x < 20 ? [0, 0, 0, 255] : [255, 255, 255, 255])

function chunk(type: string, data: readonly number[] | Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, Buffer.from(data), Buffer.alloc(4)])
}

/** Two by two dots. Each row begins with its filter. */
function handMade(format: readonly [depth: number, color: number], more: readonly Buffer[], rows: readonly number[]) {
  const size = chunk('IHDR', [0, 0, 0, 2, 0, 0, 0, 2, ...format, 0, 0, 0])
  return Buffer.concat([SIGNATURE, size, ...more, chunk('IDAT', deflateSync(Buffer.from(rows))), chunk('IEND', [])])
}

async function dotsOf(file: Buffer): Promise<boolean[]> {
  const bitmap = await logoBitmap(file, 576)
  return [0, 1].flatMap((y) => [0, 1].map((x) => isBlack(bitmap, x, y)))
}

describe('logoBitmap', () => {
  it.each([
    { colorType: 6 },
    { colorType: 2 },
    { colorType: 0 },
    { colorType: 4 },
    ...[0, 1, 2, 3, 4].map((filterType) => ({ colorType: 6, filterType })),
  ])('reads %j', async (options) => {
    const bitmap = await logoBitmap(png(40, 10, leftHalf, options), 576)
    expect(bitmap).toMatchObject({ widthDots: 40, heightDots: 10 })
    for (const y of [0, 9]) expect([19, 20].map((x) => isBlack(bitmap, x, y))).toEqual([true, false])
  })

  it('reads palettes of four bits with transparency', async () => {
    const palette = chunk('PLTE', [0, 0, 0, 255, 255, 255, 0, 0, 0])
    const file = handMade([4, 3], [palette, chunk('tRNS', [255, 255, 0])], [0, 0x01, 0, 0x20])
    expect(await dotsOf(file)).toEqual([true, false, false, true])
  })

  it('reads greys of sixteen bits and of one', async () => {
    const words = handMade([16, 0], [], [0, 0, 0, 255, 255, 0, 255, 255, 0, 0])
    expect(await dotsOf(words)).toEqual([true, false, false, true])
    expect(await dotsOf(handMade([1, 0], [], [0, 0x40, 0, 0x80]))).toEqual([true, false, false, true])
  })

  it('prints nothing for transparent areas, and grey as a pattern', async () => {
    expect(
      share(
        await logoBitmap(
          png(64, 64, () => [0, 0, 0, 0]),
          576,
        ),
      ),
    ).toBe(0)
    const grey = share(
      await logoBitmap(
        png(64, 64, () => [128, 128, 128, 255]),
        576,
      ),
    )
    expect(grey).toBeGreaterThan(0.45)
    expect(grey).toBeLessThan(0.55)
  })

  it('scales down to the paper, and never up', async () => {
    const wide = await logoBitmap(
      png(1_000, 100, (x) => (x < 500 ? [0, 0, 0, 255] : [255, 255, 255, 255])),
      384,
    )
    expect(wide).toMatchObject({ widthDots: 384, heightDots: 38 })
    expect([180, 200].map((x) => isBlack(wide, x, 20))).toEqual([true, false])
    expect((await logoBitmap(png(100, 2_000, leftHalf), 576)).heightDots).toBeLessThanOrEqual(576)
  })

  it.each([
    ['text', Buffer.from('<svg/>'), 'no PNG'],
    ['a picture that is cut off', png(40, 40, leftHalf).subarray(0, 60), 'cut off'],
    ['a file of 3 MB', Buffer.alloc(3_000_000), '2 MB'],
    ['a picture of 5000 dots', png(5_000, 1, leftHalf), '4096'],
  ])('refuses %s in words', async (_, file, words) => {
    await expect(logoBitmap(file, 576)).rejects.toThrow(words)
  })

  it('refuses a picture that is too large when unpacked', async () => {
    const small = png(8, 8, leftHalf)
    const file = Buffer.concat([small.subarray(0, 33), chunk('IDAT', deflateSync(Buffer.alloc(50_000_000)))])
    await expect(logoBitmap(file, 576)).rejects.toThrow('damaged')
  })
})
