// The time zone with which a form begins: one Save in another country must not move the paper of a kitchen.
import { expect, it } from 'vitest'
import { zoneBefore, zoneDoubts, zoneToKeep } from './zones.ts'

const zones = (timeZone: string, relayTimeZone: string | null) => ({ timeZone, relayTimeZone })

it('is the one that a person set, else that of the relay, and that of the browser only while none is known', () => {
  expect(zoneBefore(zones('Europe/Madrid', 'Asia/Kolkata'), 'Europe/Berlin')).toBe('Europe/Madrid')
  expect(zoneBefore(zones('', 'Asia/Kolkata'), 'Europe/Berlin')).toBe('Asia/Kolkata')
  expect(zoneBefore(zones('', null), 'Europe/Berlin')).toBe('Europe/Berlin')
})

it('keeps following the relay when its zone is saved unchanged', () => {
  expect(zoneToKeep(zones('', 'Asia/Kolkata'), 'Asia/Kolkata')).toBe('')
  expect(zoneToKeep(zones('', 'Asia/Kolkata'), 'Europe/Berlin')).toBe('Europe/Berlin')
  expect(zoneToKeep(zones('Europe/Berlin', 'Asia/Kolkata'), 'Asia/Kolkata')).toBe('Asia/Kolkata')
  expect(zoneToKeep(zones('', null), 'Europe/Berlin')).toBe('Europe/Berlin')
})

it('is doubted where relay or browser have another one, by whatever name', () => {
  const paired = zones('', 'Asia/Kolkata')
  expect(zoneDoubts(paired, 'Asia/Calcutta', 'Asia/Kolkata')).toEqual({ relay: null, browser: null })
  expect(zoneDoubts(paired, 'Europe/Berlin', 'Europe/Berlin')).toEqual({ relay: 'Asia/Kolkata', browser: null })
  expect(zoneDoubts(paired, 'Asia/Kolkata', 'Europe/Berlin')).toEqual({ relay: null, browser: 'Europe/Berlin' })
  expect(zoneDoubts(zones('', null), 'Europe/Berlin', '')).toEqual({ relay: null, browser: null })
})
