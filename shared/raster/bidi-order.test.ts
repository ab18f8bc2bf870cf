// From left to right on paper: what the Unicode algorithm gives for text as guests write it.
import { describe, expect, it } from 'vitest'
import { visualOrder } from './bidi-order.ts'

/** Brackets as they look: those of text from right to left are mirrored. */
const MIRRORED = new Map([
  ['(', ')'],
  [')', '('],
])

function seen(text: string): string {
  const letters = Array.from(text)
  return visualOrder(letters)
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
    ['nothing', '', ''],
  ])('%s', (_, text, expected) => {
    expect(seen(text)).toBe(expected)
  })

  it('gives each place once, whatever the text', () => {
    const letters = Array.from('a1א (ב)2 c-د,3٤.')
    const places = visualOrder(letters).map(({ index }) => index)
    expect([...places].sort((a, b) => a - b)).toEqual(letters.map((_, i) => i))
  })
})
