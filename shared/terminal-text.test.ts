// Text from outside on a terminal: nothing in it is obeyed, and JSON stays the same data.
import { expect, it } from 'vitest'
import { harmless } from './terminal-text.ts'

const ESC = '\u001b'
const CORPUS = [
  `${ESC}[2J${ESC}[1;1H`,
  `${ESC}]0;owned\u0007`,
  `${ESC}]52;c;cm0gLXJm\u0007`,
  '\u009b31m',
  '\u009d0;owned\u009c',
  '\r overwritten',
  'a\bb\u007f',
  '\u202egnp.exe',
  '\u2066x\u2069',
]

it('takes out what a terminal obeys, and keeps lines, columns and every language', () => {
  for (const text of CORPUS) expect(harmless(text)).not.toMatch(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u)
  const fine = 'Grill\tübersicht\n拉麵 👩‍🍳 ▀▄█ नमस्ते'
  expect(harmless(fine)).toBe(fine)
})

it('writes it as JSON escapes with the same value', () => {
  const data = { names: CORPUS, fine: '拉麵\n' }
  const text = harmless(JSON.stringify(data, null, 2), 'json')
  expect(text).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u)
  expect(JSON.parse(text)).toEqual(data)
})
