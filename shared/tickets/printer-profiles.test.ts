// Printer profiles, and the profile with which one printer prints.
import { describe, expect, it } from 'vitest'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import { EscposEncoder } from './escpos-encoder.ts'
import { pictureGrid } from './graphics.ts'
import { PROFILES, profileById, profileFor } from './printer-profiles.ts'
import { drawerBytes } from './render-job.ts'

const DEFAULTS = DEFAULT_PRINTER_SETTINGS

describe('profileFor', () => {
  it('is the profile of the family if the technician changed nothing', () => {
    expect(profileFor('epson-impact', DEFAULTS)).toBe(profileById('epson-impact'))
    expect(profileFor('no-such-family', DEFAULTS).id).toBe('generic-80')
  })

  it('has the columns and the code page rows that the technician set', () => {
    const profile = profileFor('generic-80', { columns: 42, codePages: [{ page: 71, encoding: 'windows1252' }] })
    expect(profile).toMatchObject({ id: 'generic-80', columns: 42, codePages: [{ page: 71, encoding: 'windows1252' }] })
  })

  it('is the same object for the same settings, since encoders are cached by it', () => {
    const settings = { columns: 40, codePages: null }
    expect(profileFor('epson-impact', settings)).toBe(profileFor('epson-impact', { ...settings }))
  })

  it('leaves out an unknown code page, and never leaves a printer without any', () => {
    const unknown = { page: 9, encoding: 'klingon' }
    expect(profileFor('generic-80', { columns: null, codePages: [unknown] }).codePages).toEqual(
      profileById('generic-80').codePages,
    )
    const cp858 = { page: 19, encoding: 'cp858' }
    expect(profileFor('generic-80', { columns: null, codePages: [unknown, cp858] }).codePages).toEqual([cp858])
  })
})

describe('drawer and beeps', () => {
  it('opens the drawer with one pulse and nothing else', () => {
    expect(drawerBytes(profileById('epson-thermal-203'))).toEqual(Uint8Array.of(0x1b, 0x70, 0, 50, 250))
    expect(drawerBytes(profileById('daruma'))).toEqual(Uint8Array.of(0x1b, 0x70))
    expect(drawerBytes({ drawer: 'none', dialect: 'ntp-epson' })).toBeNull()
  })

  it('begins a document with the requested number of beeps, at most nine', () => {
    const encoder = new EscposEncoder(profileById('generic-80'))
    const starts = [0, 3, 50].map((beeps) => Buffer.from(encoder.encode([], { beeps })).toString('latin1').slice(0, 4))
    expect(starts).toEqual(['\x1bt\x00\x1d', '\x1bB\x03\x02', '\x1bB\x09\x02'])
  })
})

describe('every profile', () => {
  it.each(PROFILES.map((profile) => [profile.id, profile] as const))('%s is consistent', (_, profile) => {
    const star = profile.language !== 'escpos'
    // BEL opens a Star's drawer; FS has another meaning on a Star.
    if (star) expect(profile).toMatchObject({ cancelKanji: false, kanji: null })
    expect(star && profile.beep === 'bel').toBe(false)
    expect(star || profile.drawer !== 'bel').toBe(true)
    // The bytes for which a printer waits after a broken connection must be fewer than the padding that follows.
    expect(Math.ceil(profile.dots / 8) * profile.maxBandRows).toBeLessThanOrEqual(2_048)
    if (profile.symbols === 'picture') expect(pictureGrid(profile)?.dots).toBe(profile.dots)
    const cell = pictureGrid(profile)?.cell.widthDots ?? 12
    expect(cell * profile.columns).toBeLessThanOrEqual(profile.dots)
  })
})
