// The places of a menu file that the relay names, read for a person.
import { expect, test } from 'vitest'
import { wrongPlace } from './wrong-places.ts'

const FILE = 'umsId,name\r\nA,Soup\r\nB,\r\n'

test('a line is shown with its column and its contents', () => {
  expect(wrongPlace('content.line.3.name', FILE)).toEqual({ kind: 'line', number: 3, column: 'name', text: 'B,' })
})

test('a long line is cut, and a column may have any name', () => {
  const { text, column } = wrongPlace('content.line.1.a.b', 'x'.repeat(500)) ?? {}
  expect([text?.length, text?.at(-1), column]).toEqual([161, '…', 'a.b'])
})

test('an entry of a list has no line, and may be wrong as a whole', () => {
  expect(wrongPlace('content.entry.7', '[]')).toEqual({ kind: 'entry', number: 7, column: null, text: null })
})

test('what names no place is none', () => {
  expect(wrongPlace('content', FILE)).toBeNull()
  expect(wrongPlace('merchantId', FILE)).toBeNull()
})
