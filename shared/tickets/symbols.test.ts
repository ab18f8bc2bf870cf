// QR codes and barcodes: their size, their bytes, and the white space around them.
import { describe, expect, it } from 'vitest'
import type { TicketLine, TicketSymbol } from './line-layout.ts'
import { profileById } from './printer-profiles.ts'
import { sizeOfSymbol, symbolBytes, withQuietZones } from './symbols.ts'

const thermal = profileById('epson-thermal-203')
const star = profileById('star-line')
const latin = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

function bytesOf(symbol: TicketSymbol, profile = thermal): string {
  const size = sizeOfSymbol(symbol, profile)
  return size === null ? '' : latin(symbolBytes(symbol, size, profile))
}

describe('a code', () => {
  it('is as large as the paper allows, and null if it does not fit', () => {
    expect(sizeOfSymbol({ what: 'qr', data: 'x'.repeat(20) }, thermal)).toEqual({ moduleDots: 8, heightDots: 25 * 8 })
    expect(sizeOfSymbol({ what: 'qr', data: 'x'.repeat(1_000) }, thermal)).toEqual({
      moduleDots: 4,
      heightDots: 121 * 4,
    })
    expect(sizeOfSymbol({ what: 'qr', data: 'x'.repeat(2_000) }, thermal)).toBeNull()
    expect(sizeOfSymbol({ what: 'barcode', data: 'x'.repeat(30) }, thermal)).toBeNull()
    expect(sizeOfSymbol({ what: 'qr', data: 'x' }, profileById('epson-impact'))).toBeNull()
  })

  it('counts bytes, not characters, and contains no control characters', () => {
    expect(bytesOf({ what: 'qr', data: 'é\x10\x14\x1b' })).toContain('\x1d(k\x05\x001P0Ã©\x1d(k')
    expect(bytesOf({ what: 'qr', data: 'é\x10\x14\x1b' }, star)).toContain('\x1b\x1dyD1\x00\x02\x00Ã©\x1b\x1dyP')
  })

  it('is not drawn for data that a barcode cannot hold, since a printer would print the rest as text', () => {
    for (const data of ['café', '\x1bp\x00', ''])
      expect(sizeOfSymbol({ what: 'barcode', data }, thermal), data).toBeNull()
  })

  it('escapes the escape character of each maker', () => {
    expect(bytesOf({ what: 'barcode', data: '{%' })).toMatch(/\{B\{\{%$/)
    expect(bytesOf({ what: 'barcode', data: '{%' }, star)).toContain('{%0\x1e')
  })
})

describe('withQuietZones', () => {
  const text: TicketLine = { align: 'left', runs: [{ text: 'text' }] }
  const blank: TicketLine = { align: 'left', runs: [] }
  const code: TicketLine = { align: 'left', runs: [], symbol: { what: 'qr', data: 'x' } }
  const shape = (lines: readonly TicketLine[], profile = thermal) =>
    withQuietZones(lines, profile)
      .map((line) => (line.symbol ? 'C' : line.runs.length === 0 ? '-' : 't'))
      .join('')

  it('leaves one blank line around each code', () => {
    expect(shape([text, code, code, text])).toBe('t-C-C-t')
    expect(shape([code, blank, text, blank, code])).toBe('C-t-C')
  })

  it('leaves tickets without codes, or without drawn codes, unchanged', () => {
    expect(shape([text, text])).toBe('tt')
    expect(shape([text, code, text], profileById('daruma'))).toBe('tCt')
  })
})
