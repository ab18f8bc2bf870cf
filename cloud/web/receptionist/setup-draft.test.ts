// The receptionist's form: what is typed becomes a profile, and an untouched form sends what came.
import { describe, expect, it, test } from 'vitest'
import { DEFAULT_PROFILE, receptionistProfile } from '#cloud/receptionist/profile.ts'
import {
  asE164,
  bodyOf,
  contradictions,
  copiedToAll,
  type Draft,
  draftOf,
  freeDigits,
  isOverMidnight,
  refusedHere,
  withSpan,
} from './setup-draft.ts'

const EVENING = { from: '18:00', to: '02:00' }
const FULL = receptionistProfile.parse({
  mode: 'answers',
  voice: 'Polly.Joanna',
  hours: { friday: [{ from: '11:00', to: '14:30' }, EVENING] },
  menu: [
    { digit: '1', label: 'address', does: 'say', say: 'Elm street 4.' },
    { digit: '0', label: 'a person', does: 'transfer' },
  ],
  transfer: { to: '+12125550100', onlyInHours: false },
  blocked: ['+12125550199'],
  notifyTo: '+12125550111',
})
const draft = (part: Partial<Draft> = {}): Draft => ({ ...draftOf(DEFAULT_PROFILE), ...part })

it('sends an untouched profile as it came', () => {
  for (const profile of [DEFAULT_PROFILE, FULL])
    expect(receptionistProfile.parse(bodyOf(draftOf(profile)))).toEqual(profile)
})

it('leaves the text of a digit out when the digit does something else', () => {
  const [first] = draftOf(FULL).menu
  if (first === undefined) throw new Error('no digit')
  expect(bodyOf(draft({ menu: [{ ...first, does: 'table' }] })).menu).toEqual([
    { digit: '1', label: 'address', does: 'table' },
  ])
})

test.each([
  ['(212) 555-0100', '+12125550100'],
  ['1 212 555 0100', '+12125550100'],
  ['+49 30/123456', '+4930123456'],
  ['0049 30 123456', '+4930123456'],
  ['555-0100', '5550100'],
  ['', ''],
])('the number %j is sent as %j', (typed, sent) => {
  expect(asE164(typed)).toBe(sent)
})

describe('hours', () => {
  it('of one day are copied to all, and changed apart from each other afterwards', () => {
    const hours = copiedToAll(FULL.hours, 'friday')
    expect(hours.monday).toEqual(FULL.hours.friday)
    expect(hours.monday[0]).not.toBe(hours.tuesday[0])
  })

  it('begin with the usual ones, and go on where the last ended', () => {
    expect(withSpan([])).toEqual([{ from: '11:00', to: '22:00' }])
    expect(withSpan([{ from: '11:00', to: '14:00' }]).at(-1)).toEqual({ from: '14:00', to: '23:00' })
  })

  it('that end in the night are of the next day; those that end at midnight are not', () => {
    expect([EVENING, { from: '11:00', to: '22:00' }, { from: '18:00', to: '00:00' }].map(isOverMidnight)).toEqual([
      true,
      false,
      false,
    ])
  })
})

it('offers the digits that are not taken, 0 last', () => {
  expect(freeDigits(draftOf(FULL).menu).join('')).toBe('23456789')
  expect(freeDigits([{ digit: '5' }]).join('')).toBe('123467890')
})

test('what cannot work together is named', () => {
  expect(contradictions(draft({ mode: 'off' }))).toEqual(['offWithoutTransfer'])
  const menu = (['transfer', 'order', 'table', 'voicemail'] as const).map((does, at) => ({
    ...{ digit: String(at), label: does, does, say: '' },
  }))
  expect(
    contradictions(draft({ mode: 'answers', menu, tables: false, recording: { mode: 'off', consent: '' } })),
  ).toEqual(['transferWithoutNumber', 'orderWhileOff', 'tableWhileOff', 'messageWhileOff', 'noHours'])
  expect(contradictions(draft({ mode: 'after-hours' }))).toEqual(['neverAfterHours', 'openWithoutTransfer'])
  expect(contradictions(draftOf(FULL))).toEqual([])
})

test('a number that is not called any more is named until it is another one in the form', () => {
  const saved = draft({ transferTo: '+12125550199', notifyTo: '+12125550198' })
  const both = { refused: ['profile.transfer.to' as const, 'profile.notifyTo' as const] }
  expect(refusedHere(saved, both, saved)).toEqual(both.refused)
  const changed = { ...saved, transferTo: '+442079460958' }
  expect(refusedHere(changed, both, saved)).toEqual(['profile.notifyTo'])
})
