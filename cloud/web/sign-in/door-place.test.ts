// Which page of the door an address opens.
import { expect, it } from 'vitest'
import { doorPlace } from './door-place.ts'

it.each([
  ['/dashboard', '#welcome=abc_DEF-1', { view: 'welcome', code: 'abc_DEF-1' }],
  ['/dashboard/', '#welcome=abc', { view: 'welcome', code: 'abc' }],
  ['/dashboard/invite', '#abc', { view: 'invite', code: 'abc' }],
  ['/dashboard/sign-up', '', { view: 'sign-up' }],
  ['/dashboard/reset/', '', { view: 'reset' }],
  ['/dashboard/sign-in', '', { view: 'sign-in' }],
  ['/dashboard/', '', null],
  ['/dashboard/orders', '#welcome=abc', null],
])('%s%s', (pathname, hash, place) => {
  expect(doorPlace({ pathname, hash })).toEqual(place)
})
