// Golden bytes of every command taken from a library, so that an update cannot change one unseen.
import { describe, expect, it } from 'vitest'
import { brazilianDialect } from './brazilian-dialect.ts'
import { beepBytes, cutBytes, type Dialect } from './dialect.ts'
import { epsonDialect } from './epson-dialect.ts'
import { PROFILES, profileById } from './printer-profiles.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** Every command of a dialect, so that a new version of a library cannot change one unseen. */
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
      start: '',
      bold: ['1b4501', '1b4500'],
      underline: ['1b2d01', '1b2d00'],
      inverse: ['', ''],
      red: ['1b7201', '1b7200'],
      size: ['1b2100', '1b2110', '1b2120', '1b2130'],
      align: ['1b6101', '1b6100'],
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
      size: ['141b7730', '141b7731', '0e1b7730', '0e1b7731'],
      align: ['1b6a31', '1b6a30'],
    })
  })

  it('cuts and beeps, which are ours', () => {
    expect((['gs-v-66', 'gs-v-1', 'esc-m', 'none'] as const).map((cut) => hex(cutBytes(cut)))).toEqual([
      '1d564200',
      '1b64051d5601',
      '1b64051b6d',
      '1b6406',
    ])
    expect((['esc-paren-a', 'esc-b', 'none'] as const).map((beep) => hex(beepBytes(beep, 2)))).toEqual([
      '1b284105006164020101',
      '1b420202',
      '',
    ])
  })
})

describe('printer profiles', () => {
  it('have ids of their own, and generic-80 stands for any unknown one', () => {
    const ids = PROFILES.map((profile) => profile.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(
      expect.arrayContaining(['epson-thermal-180', 'epson-thermal-203', 'xprinter-80', 'generic-80', 'generic-58']),
    )
    expect(profileById('no-such-printer').id).toBe('generic-80')
    expect(profileById('generic-80')).toMatchObject({ columns: 48, cancelKanji: true })
  })
})
