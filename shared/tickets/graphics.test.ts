// Pictures as bytes: in bands, dot for dot, and never with a real-time command inside.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { type Bitmap, rowBytes } from './bitmap.ts'
import { cropped, pictureBytes, pictureGrid, withoutRealTime } from './graphics.ts'
import { profileById } from './printer-profiles.ts'

const thermal = profileById('epson-thermal-203')
const impact = profileById('epson-impact')

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

/** `#` is black. */
function drawn(...rows: readonly string[]): Bitmap {
  const widthDots = rows[0]?.length ?? 0
  const bytes = rowBytes({ widthDots })
  const bits = new Uint8Array(bytes * rows.length)
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      if (row[x] === '#') bits[y * bytes + (x >> 3)] = (bits[y * bytes + (x >> 3)] ?? 0) | (0x80 >> (x & 7))
    }
  })
  return { widthDots, heightDots: rows.length, rows: bits }
}

function solid(widthDots: number, heightDots: number): Bitmap {
  return { widthDots, heightDots, rows: new Uint8Array(rowBytes({ widthDots }) * heightDots).fill(0xff) }
}

describe('a picture', () => {
  it('is GS v 0 with bytes per row and number of rows, row by row', () => {
    expect(hex(pictureBytes(drawn('#........#', '.#########'), thermal))).toBe('1d76300002000200' + '8040' + '7fc0')
  })

  it('is sent in bands, so that a broken connection leaves the printer waiting for few rows', () => {
    const bytes = pictureBytes(solid(16, 50), thermal)
    const heads = Buffer.from(bytes).toString('hex').split('1d7630000200').slice(1)
    expect(heads.map((head) => head.slice(0, 4))).toEqual(['1800', '1800', '0200'])
  })

  it('is sent as columns of eight dots on an impact printer, each band followed by its own height', () => {
    const picture = drawn('##', '#.', '#.', '#.', '#.', '#.', '#.', '#.', '.#')
    expect(hex(pictureBytes(picture, impact))).toBe('1b2a000200ff80' + '1b4a10' + '1b2a0002000080' + '1b4a10')
  })

  it('is sent as columns of 24 dots on a Bematech, without gaps between lines', () => {
    const bytes = pictureBytes(drawn('#'), profileById('bematech'))
    expect(hex(bytes)).toBe('1b3310' + '1b2a210100800000' + '1b4a00' + '1b32')
  })

  it('loses dots beyond the paper and beyond its own width', () => {
    expect(cropped({ widthDots: 3, heightDots: 2, rows: Uint8Array.of(0xff, 0xff) }, 576).rows).toEqual(
      Uint8Array.of(0xe0, 0xe0),
    )
    expect(cropped(solid(1000, 1), 576).rows.length).toBe(72)
    expect(pictureBytes(solid(1000, 1), impact).subarray(3, 5)).toEqual(Uint8Array.of(200, 0))
  })

  it('is empty for a printer without pictures', () => {
    expect(pictureGrid({ ...thermal, image: 'none' })).toBeNull()
    expect(pictureBytes(solid(8, 8), { ...thermal, image: 'none' })).toEqual(new Uint8Array(0))
  })
})

describe('real-time commands in picture data', () => {
  it('lose one white dot, whatever the data', () => {
    const nasty = fc.array(fc.constantFrom(0x10, 0x04, 0x05, 0x14, 0x1b, 0x06, 0x00, 0xff), { maxLength: 60 })
    assertProperty(
      fc.property(nasty, (data) => {
        const safe = withoutRealTime(Uint8Array.from(data))
        expect(Buffer.from(safe).toString('hex').match(/../g)?.join(' ') ?? '').not.toMatch(/10 (04|05|14)|1b 06/)
        const changed = safe.filter((byte, i) => byte !== data[i])
        expect(changed.every((byte) => [0x24, 0x25, 0x34, 0x26].includes(byte))).toBe(true)
      }),
    )
  })

  it('are not formed across rows', () => {
    const picture = { widthDots: 8, heightDots: 2, rows: Uint8Array.of(0x10, 0x14) }
    expect(hex(pictureBytes(picture, thermal))).toBe('1d76300001000200' + '1034')
  })
})
