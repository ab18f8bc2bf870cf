// Which profile is proposed for a model name.
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
