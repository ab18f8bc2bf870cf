// What a restaurant may set of its receptionist: rules that concern more than one field.
import { expect, test } from 'vitest'
import { DEFAULT_PROFILE, receptionistProfile } from './profile.ts'

const consentOf = (recording: object) => receptionistProfile.safeParse({ recording })

test('a restaurant that sets nothing records voicemails alone', () => {
  expect(DEFAULT_PROFILE.recording.mode).toBe('voicemail')
})

test.each(['', '   ', '...'])('whole calls are not recorded with "%s" for the words of consent', (consent) => {
  const refused = consentOf({ mode: 'whole-call', consent })
  expect(refused.error?.issues).toMatchObject([
    { path: ['recording', 'consent'], message: expect.stringMatching(/^must say that the call is recorded/) },
  ])
})

test('whole calls are recorded with words of consent, and with the usual ones where none are given', () => {
  expect(consentOf({ mode: 'whole-call', consent: 'Se graba esta llamada.' }).success).toBe(true)
  expect(consentOf({ mode: 'whole-call' }).data?.recording.consent).toBe('This call is recorded.')
})

test('where whole calls are not recorded the words may be empty', () => {
  expect(consentOf({ mode: 'off', consent: '' }).success).toBe(true)
})
