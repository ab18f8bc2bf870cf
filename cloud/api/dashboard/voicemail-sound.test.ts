// Parts of a recording, as players ask for them.
import { expect, test } from 'vitest'
import { partOf } from './voicemail-sound.ts'

test.each([
  [undefined, null],
  ['bytes=0-', { from: 0, to: 99 }],
  ['bytes=10-19', { from: 10, to: 19 }],
  ['bytes=90-500', { from: 90, to: 99 }],
  ['bytes=-10', { from: 90, to: 99 }],
  ['bytes=-500', { from: 0, to: 99 }],
  ['bytes=100-', null],
  ['bytes=20-10', null],
  ['bytes=0-1,5-6', null],
  ['lines=0-1', null],
  ['bytes=-', null],
])('%s of 100 bytes is %o', (range, part) => {
  expect(partOf(range, 100)).toEqual(part)
})
