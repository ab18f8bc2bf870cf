// QR codes and barcodes, compared with an independent generator.
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { barsOf, epsonCode128, plainCode128 } from './code-128.ts'
import { qrModules, qrSide } from './qr-code.ts'

interface OtherQr {
  addData(data: string): void
  make(): void
  getModuleCount(): number
}
// The generator in receiptline, by another author.
const otherGenerator = createRequire(import.meta.url)('receiptline/lib/qrcode-generator/qrcode.js') as (
  version: number,
  level: string,
) => OtherQr

function otherSide(text: string, level: string): number {
  const qr = otherGenerator(0, level)
  qr.addData(text)
  qr.make()
  return qr.getModuleCount()
}

const LEVELS = ['L', 'M', 'Q', 'H'] as const
const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1')

describe('qrModules', () => {
  it.each(LEVELS)('has in level %s the same size as that of the other generator, in all versions', (level) => {
    for (const length of [1, 14, 15, 60, 120, 180, 250, 400, 700, 1100]) {
      const text = 'https://example.com/o/42?'.repeat(60).slice(0, length)
      expect(qrSide(length, level)).toBe(otherSide(text, level))
    }
  })

  it.each(LEVELS)('has in level %s the size that was computed before drawing, in every version', (level) => {
    for (let length = 1; qrSide(length, level) !== null; length++) {
      const side = qrSide(length, level)
      if (qrSide(length + 1, level) === side && qrSide(length - 1, level) === side) continue
      expect(qrModules(new Uint8Array(length), level)).toHaveLength(side ?? 0)
    }
  })

  it('holds 2953 bytes at most', () => {
    expect(qrSide(2953, 'L')).toBe(177)
    expect(qrSide(2954, 'L')).toBeNull()
    expect(qrModules(new Uint8Array(3000), 'L')).toBeNull()
  })
})

describe('CODE 128', () => {
  it('draws "PJJ123C" in set A as textbooks do', () => {
    const values = epsonCode128(ascii('{APJJ123C'))
    expect(values).toEqual([103, 48, 42, 42, 17, 18, 19, 35])
    // Check character 54, then the stop.
    expect(
      barsOf(values ?? [])
        .slice(-13)
        .join(''),
    ).toBe('3111232331112')
  })

  it('switches sets, doubles braces and takes pairs of digits', () => {
    expect(epsonCode128(ascii('{Ba{{{C\x0c\x22{Bz'))).toEqual([104, 65, 91, 99, 12, 34, 100, 90])
    expect(epsonCode128(ascii('{B{1x'))).toEqual([104, 102, 88])
    expect(plainCode128('12a')).toEqual([104, 17, 18, 65])
  })

  it('refuses data that printers refuse', () => {
    for (const data of ['', '123', '{D1', '{B', '{B\x05', '{Aa', '{C\xf0', '{B{9'])
      expect(epsonCode128(ascii(data))).toBeNull()
  })

  it('has 11 modules per character', () => {
    assertProperty(
      fc.property(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 60 }), (text) => {
        const bars = barsOf(plainCode128(text) ?? [])
        expect(bars.reduce((sum, width) => sum + width, 0)).toBe((text.length + 2) * 11 + 13)
        expect(bars.length % 2).toBe(1)
      }),
    )
  })
})
