// The marks of the guide's steps: done is what the box knows, left out is what a person went on from.
import { expect, it } from 'vitest'
import type { StationsAnswer } from '#gateway/control/station-answers.ts'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import { STEPS, type StepFacts, stepMarks } from './steps.ts'

const printer = (testedAt: string | null, backupPrinterId: string | null) => ({
  testedAt,
  settings: { ...DEFAULT_PRINTER_SETTINGS, backupPrinterId },
})
const stations = (change: object = {}) =>
  ({ stations: [{ faults: [], like: null, ...change }], printers: [{ work: 'stations' }] }) as unknown as StationsAnswer
const FRESH: StepFacts = {
  ...{
    settings: { name: '', timeZone: '', relayTimeZone: null },
    linkState: 'unpaired',
    printers: [],
    displays: [],
    passed: [],
  },
  stations: { stations: [], printers: [] },
  ...{ isGreen: null, troubles: 0 },
}
const DONE: StepFacts = {
  settings: { name: 'Casa Nina', timeZone: 'Europe/Madrid', relayTimeZone: null },
  linkState: 'connected',
  printers: [printer('2026-11-25', 'bar'), printer('2026-11-25', 'grill')],
  displays: [{ signedInAt: '2026-11-25' }],
  stations: stations(),
  passed: ['check'],
  ...{ isGreen: null, troubles: 0 },
}

it('are all open at a fresh box, and all done at one that is set up', () => {
  expect(new Set(Object.values(stepMarks(FRESH)))).toEqual(new Set(['open']))
  expect(new Set(Object.values(stepMarks(DONE)))).toEqual(new Set(['done']))
})

it('distinguish a step that was left out from one that was never opened', () => {
  const { name, pairing } = stepMarks({ ...FRESH, passed: ['pairing'] })
  expect([name, pairing]).toEqual(['open', 'skipped'])
})

it('has a clock while the relay sends one', () => {
  const paired = { ...FRESH, settings: { name: '', timeZone: '', relayTimeZone: 'Asia/Kolkata' } }
  expect(stepMarks(paired).clock).toBe('done')
})

it('do not call the check done that was green once, when it is not now', () => {
  expect(stepMarks({ ...DONE, isGreen: false }).check).toBe('open')
  expect(stepMarks({ ...DONE, troubles: 1 }).check).toBe('open')
  expect(stepMarks({ ...DONE, isGreen: true, passed: [] }).check).toBe('done')
  expect(stepMarks({ ...DONE, isGreen: true, troubles: 1 }).check, 'left out by name').toBe('done')
})

it.each([
  ['identify', { printers: [printer(null, null)] }],
  ['backups', { printers: [printer('2026-11-25', null)] }],
  ['displays', { displays: [{ signedInAt: null }] }],
  ['stations', { stations: stations({ faults: ['no-place'] }) }],
  ['stations', { stations: stations({ like: 'Grill' }) }],
])('does not call %s done while something is missing', (step, change) => {
  const marks = stepMarks({ ...DONE, ...change, passed: [...STEPS] })
  expect(marks[step as keyof typeof marks]).toBe('skipped')
})
