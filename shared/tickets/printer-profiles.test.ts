// The profile that one printer prints by.
import { describe, expect, it } from 'vitest'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import { drawerBytes } from './drawer.ts'
import { EscposEncoder } from './escpos-encoder.ts'
import { pictureGrid } from './graphics.ts'
import { PROFILES, profileById, profileFor } from './printer-profiles.ts'

const DEFAULTS = DEFAULT_PRINTER_SETTINGS

describe('profileFor', () => {
  it("is the family's where the technician changed nothing", () => {
    expect(profileFor('epson-impact', DEFAULTS)).toBe(profileById('epson-impact'))
    expect(profileFor('no-such-family', DEFAULTS).id).toBe('generic-80')
  })

  it('takes the columns and the code page rows that the technician found', () => {
    const profile = profileFor('generic-80', { columns: 42, codePages: [{ page: 71, encoding: 'windows1252' }] })
    expect(profile).toMatchObject({ id: 'generic-80', columns: 42, codePages: [{ page: 71, encoding: 'windows1252' }] })
  })

  it('gives the same object for the same settings: encoders are kept by it', () => {
    const settings = { columns: 40, codePages: null }
    expect(profileFor('epson-impact', settings)).toBe(profileFor('epson-impact', { ...settings }))
  })

  it('leaves out a code page that nobody knows, and a printer never stands without any', () => {
    const unknown = { page: 9, encoding: 'klingon' }
    expect(profileFor('generic-80', { columns: null, codePages: [unknown] }).codePages).toEqual(
      profileById('generic-80').codePages,
    )
    const cp858 = { page: 19, encoding: 'cp858' }
    expect(profileFor('generic-80', { columns: null, codePages: [unknown, cp858] }).codePages).toEqual([cp858])
  })
})

describe('drawer and beeps', () => {
  it('the drawer is one pulse and nothing else', () => {
    expect(drawerBytes(profileById('epson-thermal-203'))).toEqual(Uint8Array.of(0x1b, 0x70, 0, 50, 250))
    expect(drawerBytes(profileById('daruma'))).toEqual(Uint8Array.of(0x1b, 0x70))
    expect(drawerBytes({ drawer: 'none', dialect: 'ntp-epson' })).toBeNull()
  })

  it('a document begins with as many beeps as asked for, nine at most', () => {
    const encoder = new EscposEncoder(profileById('generic-80'))
    const starts = [0, 3, 50].map((beeps) => Buffer.from(encoder.encode([], { beeps })).toString('latin1').slice(0, 4))
    expect(starts).toEqual(['\x1bt\x00\x1d', '\x1bB\x03\x02', '\x1bB\x09\x02'])
  })
})

describe('every profile', () => {
  it.each(PROFILES.map((profile) => [profile.id, profile] as const))('%s holds together', (_, profile) => {
    const star = profile.language !== 'escpos'
    // BEL opens a Star's drawer; FS means something else to a Star.
    if (star) expect(profile).toMatchObject({ cancelKanji: false, kanji: null })
    expect(star && profile.beep === 'bel').toBe(false)
    expect(star || profile.drawer !== 'bel').toBe(true)
    // What a broken connection leaves a printer hungry for must be less than the padding that follows.
    expect(Math.ceil(profile.dots / 8) * profile.maxBandRows).toBeLessThanOrEqual(2_048)
    if (profile.symbols === 'picture') expect(pictureGrid(profile)?.dots).toBe(profile.dots)
    const cell = pictureGrid(profile)?.cell.widthDots ?? 12
    expect(cell * profile.columns).toBeLessThanOrEqual(profile.dots)
  })
})
