// Keys of keyboards for other scripts, and arrow keys in right-to-left languages.
import { expect, it } from 'vitest'
import { keyName } from './key-names.ts'

it.each([
  ['س', 'KeyS', 's'],
  ['ق', 'KeyR', 'r'],
  ['٣', 'Digit3', '3'],
  ['٣', 'Numpad3', '3'],
  ['ج', 'BracketLeft', 'ج'],
  ['ы', 'KeyS', 's'],
])('an Arabic or Russian %s at %s is the board\'s "%s"', (key, code, name) => {
  expect(keyName({ key, code }, false)).toBe(name)
})

it.each([
  ['a', 'KeyQ'],
  ['é', 'Digit2'],
  ['Enter', 'Enter'],
  ['PageDown', 'PageDown'],
  ['5', ''],
])('a Latin %s stays what it says, wherever it stands', (key, code) => {
  expect(keyName({ key, code }, true)).toBe(key)
})

it('the left arrow goes to the next ticket in right-to-left languages', () => {
  const moved = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].map((key) => keyName({ key, code: key }, true))
  expect(moved).toEqual(['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown'])
  expect(keyName({ key: 'ArrowLeft', code: 'ArrowLeft' }, false)).toBe('ArrowLeft')
})
