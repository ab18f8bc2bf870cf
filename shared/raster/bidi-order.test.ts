// The visual order of text on paper, compared with the Unicode algorithm.
import { describe, expect, it } from 'vitest'
import { visualOrder } from './bidi-order.ts'

/** Brackets as drawn: those of right-to-left text are mirrored. */
const MIRRORED = new Map([
  ['(', ')'],
  [')', '('],
])

function seen(text: string, goesOn = false): string {
  const letters = Array.from(text)
  return visualOrder(letters, goesOn)
    .map(({ index, isRightToLeft }) => {
      const letter = letters[index] ?? ''
      return isRightToLeft ? (MIRRORED.get(letter) ?? letter) : letter
    })
    .join('')
}

describe('visualOrder', () => {
  it.each([
    ['text from left to right stays', 'Burger (2) x', 'Burger (2) x'],
    ['text from right to left is turned', 'אבג דה', 'הד גבא'],
    ['its full stop stands left of it', 'אבג!', '!גבא'],
    ['numbers in it are not turned', 'אבג 12.50 דה', 'הד 12.50 גבא'],
    ['times and fractions neither', 'אב 18:02 גד', 'דג 18:02 בא'],
    ['brackets open to the left', 'אב (2 גד)', '(דג 2) בא'],
    ['a foreign word in it is not turned', 'אב kebab hot גד', 'דג kebab hot בא'],
    ['a word in text from left to right', 'kebab אבג hot', 'kebab גבא hot'],
    ['two words in it stand in their own order', 'no אבג דה!', 'no הד גבא!'],
    ['Arabic with its digits', 'ابج ١٢ ده', 'هد ١٢ جبا'],
    ['a pair of brackets around a foreign word', 'אבג (no nuts) דה', 'הד (no nuts) גבא'],
    ['the same at the end, behind an emoji', 'אבג 🥜 (no nuts)', '(no nuts) 🥜 גבא'],
    ['the same the other way round', 'no (אבג) nuts', 'no (גבא) nuts'],
    ['an emoji before it says nothing about its direction', '🥜 אבג!', '!גבא 🥜'],
    ['a per cent sign stays behind its number', 'אבג 50% דה', 'הד 50% גבא'],
    ['a price stays whole', 'אבג €5 דה', 'הד €5 גבא'],
    ['a bracket alone', 'אבג (no', 'no) גבא'],
    ['numbers before the first letter', '2 אבג', 'גבא 2'],
    ['numbers behind Arabic', 'ابج 50% ده', 'هد %50 جبا'],
    ['a half stays behind its number', 'אב 3½ x', 'x 3½ בא'],
    ['letters beyond 16 bits', 'no 𞤀𞤁𞤂', 'no 𞤂𞤁𞤀'],
    ['spaces at its end stand left of it', 'אבג  ', '  גבא'],
    ['nothing', '', ''],
  ])('%s', (_, text, expected) => {
    expect(seen(text)).toBe(expected)
  })

  it('keeps the direction of the text on its further lines, whatever their first letter is', () => {
    expect(seen('cola אבג!', true)).toBe('!גבא cola')
    expect(seen('cola אבג!')).toBe('cola גבא!')
  })

  it('returns each position once, for any text', () => {
    const letters = Array.from('a1א (ב)2 c-د,3٤.')
    const places = visualOrder(letters).map(({ index }) => index)
    expect([...places].sort((a, b) => a - b)).toEqual(letters.map((_, i) => i))
  })
})
