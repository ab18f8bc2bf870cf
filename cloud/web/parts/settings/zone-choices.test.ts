// Time zones and currencies to choose from: each once, found by a town or a name, with what is set.
import { expect, test } from 'vitest'
import { currency, timeZone } from '#cloud/control/input-fields.ts'
import { currencyChoices, zoneChoices } from './zone-choices.ts'

test('every time zone that is offered is one that the relay takes, and a town is written as people type it', () => {
  const zones = zoneChoices('Europe/Madrid')
  expect(zones).toContainEqual({ value: 'America/New_York', label: 'America/New York' })
  expect(zones.filter(({ value }) => !timeZone.safeParse(value).success)).toEqual([])
  expect(zones.filter(({ value }) => value === 'Europe/Madrid')).toHaveLength(1)
})

test('every currency that is offered is one that the relay takes, with its name in the language of the page', () => {
  const currencies = currencyChoices('USD', 'es')
  expect(currencies).toContainEqual({ value: 'EUR', label: 'EUR, euro' })
  expect(currencies.filter(({ value }) => !currency.safeParse(value).success)).toEqual([])
})

test('the current value can be chosen though this browser does not know it', () => {
  expect(zoneChoices('Mars/Olympus')).toContainEqual({ value: 'Mars/Olympus', label: 'Mars/Olympus' })
})
