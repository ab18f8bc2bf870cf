// The suggested profile for a model name.
import { describe, expect, it } from 'vitest'
import { PROFILES } from '#shared/tickets/printer-profiles.ts'
import { suggestProfile } from './suggest-profile.ts'

describe('the proposed profile', () => {
  it('of each listed model is a profile that lists it', () => {
    for (const { models } of PROFILES)
      for (const model of models) {
        const { profileId, by } = suggestProfile('', model)
        expect(by).toBe('model')
        expect(PROFILES.find(({ id }) => id === profileId)?.models).toContain(model)
      }
  })

  it.each([
    ['EPSON', 'TM-T88VI', 'epson-thermal-180', 'model'],
    ['EPSON', 'tm t20iii', 'epson-thermal-203', 'model'],
    ['EPSON', 'TM-T88VI-iHUB', 'epson-thermal-180', 'model'],
    ['EPSON', 'TM-m99', 'epson-thermal-203', 'family'],
    ['EPSON', 'TM-U295', 'epson-impact', 'family'],
    ['EPSON', 'TM-L500', 'epson-label', 'family'],
    ['EPSON', 'TM-T88VIII', 'epson-thermal-180', 'family'],
    ['Star', 'mC-Print9', 'starprnt', 'family'],
    ['Star', 'TSP199', 'star-raster', 'family'],
    ['Star', 'SP799', 'star-impact', 'family'],
    ['Star', 'TSP799', 'star-line', 'family'],
    ['BIXOLON', 'SRP-Q300', 'bixolon-350', 'family'],
    ['BIXOLON', 'SRP-275', 'epson-impact', 'family'],
    ['BIXOLON', 'SRP-275III', 'epson-impact', 'family'],
    ['CITIZEN', 'CT-S4500', 'citizen-ct-s', 'family'],
    ['SEIKO', 'DPU', 'seiko-rp', 'family'],
    ['', 'XP-D600', 'xprinter-80', 'family'],
    ['Xprinter', 'XP-80C', 'xprinter-80', 'family'],
    ['Xprinter', 'XP-58', 'generic-58', 'family'],
    ['Xprinter', 'XP-58IIH', 'generic-58', 'family'],
    ['', 'XP-P58', 'generic-58', 'family'],
    ['', 'XP-76IIH', 'epson-impact', 'family'],
    ['Elgin', 'i11', 'elgin', 'family'],
    ['Daruma', 'FS700', 'daruma', 'family'],
    ['', 'ZJ-58', 'generic-58', 'family'],
    ['Bematech', 'MP-9000', 'bematech', 'family'],
    ['', '', 'generic-80', 'none'],
    ['ACME', 'Thermalizer', 'generic-80', 'none'],
  ])('%s %s: %s by %s', (maker, model, profileId, by) => {
    expect(suggestProfile(maker, model)).toEqual({ profileId, by })
  })

  it('does not take a Roman numeral for the end of a shorter name', () => {
    expect(suggestProfile('EPSON', 'TM-T88VIII')).toMatchObject({ by: 'family' })
  })
})
