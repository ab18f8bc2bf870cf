// Golden bytes of every command that comes from a library, so that an update cannot change one unnoticed.
import { describe, expect, it } from 'vitest'
import { brazilianDialect } from './brazilian-dialect.ts'
import type { Dialect } from './dialect.ts'
import { beepBytes, cutBytes } from './document-frame.ts'
import { epsonDialect } from './epson-dialect.ts'
import { PROFILES, profileById } from './printer-profiles.ts'
import { starLineDialect, starprntDialect } from './star-dialect.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** All commands of a dialect. */
function golden(dialect: Dialect) {
  return {
    start: hex(dialect.start),
    bold: [hex(dialect.bold(true)), hex(dialect.bold(false))],
    underline: [hex(dialect.underline(true)), hex(dialect.underline(false))],
    inverse: [hex(dialect.inverse(true)), hex(dialect.inverse(false))],
    red: [hex(dialect.red(true)), hex(dialect.red(false))],
    size: [hex(dialect.size(1, 1)), hex(dialect.size(1, 2)), hex(dialect.size(2, 1)), hex(dialect.size(2, 2))],
    align: [hex(dialect.align('center')), hex(dialect.align('left'))],
  }
}

describe('the bytes of each dialect', () => {
  it('ntp-epson, thermal', () => {
    expect(golden(epsonDialect(profileById('epson-thermal-203')))).toEqual({
      start: '',
      bold: ['1b4501', '1b4500'],
      underline: ['1b2d01', '1b2d00'],
      inverse: ['1d4201', '1d4200'],
      red: ['', ''],
      size: ['1d2100', '1d2101', '1d2110', '1d2111'],
      align: ['1b6101', '1b6100'],
    })
  })

  it('ntp-epson, impact with two colours', () => {
    expect(golden(epsonDialect(profileById('epson-impact')))).toEqual({
      start: '1b2100',
      bold: ['1b4501', '1b4500'],
      underline: ['1b2d01', '1b2d00'],
      inverse: ['', ''],
      red: ['1b7201', '1b7200'],
      size: ['1b2100', '1b2110', '1b2120', '1b2130'],
      align: ['1b6101', '1b6100'],
    })
  })

  it('ntp-epson, impact with 40 columns, in the narrow font', () => {
    expect(golden(epsonDialect(profileById('epson-impact-40')))).toMatchObject({
      start: '1b2101',
      size: ['1b2101', '1b2111', '1b2121', '1b2131'],
    })
  })

  it('eb-bematech', () => {
    expect(golden(brazilianDialect(profileById('bematech')))).toEqual({
      start: '1df93531',
      bold: ['1b4531', '1b4530'],
      underline: ['1b2d31', '1b2d30'],
      inverse: ['1d4201', '1d4200'],
      red: ['', ''],
      size: ['1d2100', '1d2101', '1d2110', '1d2111'],
      align: ['1b6131', '1b6130'],
    })
  })

  it('eb-elgin', () => {
    expect(golden(brazilianDialect(profileById('elgin')))).toEqual({
      start: '',
      bold: ['1b4531', '1b4530'],
      underline: ['1b2d31', '1b2d30'],
      inverse: ['1d4201', '1d4200'],
      red: ['', ''],
      size: ['1d2100', '1d2101', '1d2110', '1d2111'],
      align: ['1b6131', '1b6130'],
    })
  })

  it('eb-daruma', () => {
    expect(golden(brazilianDialect(profileById('daruma')))).toEqual({
      start: '',
      bold: ['1b45', '1b46'],
      underline: ['1b2d31', '1b2d30'],
      inverse: ['', ''],
      red: ['', ''],
      size: ['1b773014', '1b773114', '1b77300e', '1b77310e'],
      align: ['1b6a31', '1b6a30'],
    })
  })

  it('ntp-star, thermal', () => {
    expect(golden(starLineDialect(profileById('star-line')))).toEqual({
      start: '1b1e4600' + '1b2000' + '1b7a01',
      bold: ['1b45', '1b46'],
      underline: ['1b2d01', '1b2d00'],
      inverse: ['1b34', '1b35'],
      red: ['', ''],
      size: ['1b690000', '1b690100', '1b690001', '1b690101'],
      align: ['1b1d6101', '1b1d6100'],
    })
  })

  it('ntp-star, impact with two colours', () => {
    expect(golden(starLineDialect(profileById('star-impact')))).toMatchObject({
      start: '1b4d' + '1b2000' + '1b7a01',
      inverse: ['', ''],
      red: ['1b34', '1b35'],
      size: ['1b57001b6800', '1b57001b6801', '1b57011b6800', '1b57011b6801'],
    })
  })

  it('starprnt is the same as line mode, written by us', () => {
    const line = golden(starLineDialect(profileById('star-line')))
    expect(golden(starprntDialect(profileById('starprnt')))).toEqual(line)
  })

  it('cuts and beeps, which we write ourselves', () => {
    const cut = (id: string) => hex(cutBytes(profileById(id)))
    expect({
      fed: cut('epson-thermal-203'),
      clone: cut('generic-58'),
      bematech: cut('bematech'),
      daruma: cut('daruma'),
      tearBar: cut('epson-impact-no-cutter'),
      star: cut('star-line'),
      starTearBar: cut('star-impact-no-cutter'),
      starRaster: cut('star-raster'),
      label: cut('epson-label'),
    }).toEqual({
      fed: '1d564200',
      clone: '1b64051d5601',
      bematech: '1b64051b6d',
      daruma: '0a0a0a0a0a1b6d',
      tearBar: '1b6406',
      star: '1b6403',
      starTearBar: '1b6106',
      starRaster: '1b0c001b2a7242',
      label: '1c284c02004130',
    })
    expect(
      (['esc-paren-a', 'esc-paren-a-48', 'esc-b', 'bel', 'star-em', 'none'] as const).map((beep) =>
        hex(beepBytes({ beep }, 2)),
      ),
    ).toEqual([
      '1b284105006164020101',
      '1b284104003037020a',
      '1b420202',
      '0707',
      '1b1d191131' + '0505' + '1b1d191231' + '0200',
      '',
    ])
  })
})

describe('printer profiles', () => {
  it('have unique ids, and an unknown id gives generic-80', () => {
    const ids = PROFILES.map((profile) => profile.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(
      expect.arrayContaining(['epson-thermal-180', 'epson-thermal-203', 'xprinter-80', 'generic-80', 'generic-58']),
    )
    expect(profileById('no-such-printer').id).toBe('generic-80')
    expect(profileById('generic-80')).toMatchObject({ columns: 48, cancelKanji: true })
  })
})
