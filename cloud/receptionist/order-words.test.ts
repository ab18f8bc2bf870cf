// What counts as a yes and as a no to a read-back: nothing that may be a question, and nothing that says more.
import { describe, expect, test } from 'vitest'
import { intends, isYes } from './order-words.ts'

describe('a yes', () => {
  test.each([
    ...['yes', 'Yes, please.', 'yeah', 'yep that’s right', "that's correct", 'that is correct', 'okay', 'ok thanks'],
    ...['yes order it', 'yes, go ahead, thank you', 'please go ahead', 'sounds good', "yes that's all", 'um yes'],
    ...['sure thing', 'yes it is', 'perfect thank you very much', 'yes everything is correct'],
  ])('in English: %s', (words) => expect(isYes(words, 'en')).toBe(true))

  test.each([
    'sí',
    'Sí, por favor',
    'claro que sí',
    'sí está bien',
    'sí, así es',
    'de acuerdo',
    'eh sí, gracias',
    'vale',
  ])('in Spanish: %s', (words) => expect(isYes(words, 'es')).toBe(true))

  test.each([
    ...['is that right', 'am I right', 'is that all correct', 'is it okay', 'you okay', 'okay is that right', 'right'],
    ...[
      'yes?',
      'Is that it?',
      'yes is it',
      'how is that right',
      'is everything right',
      'it is',
      'do it is',
      'all right',
    ],
    ...['yes and a coffee', 'yes but no onions', 'not okay', 'that is not correct', 'sure you did', 'please', '', '?'],
    ...['what is correct', 'yes or no', 'can you confirm', 'would you order it', 'exactly what', 'that is fine print'],
  ])('in English is not: %s', (words) => expect(isYes(words, 'en')).toBe(false))

  test.each([
    ...['está bien', '¿está bien?', 'qué está bien', 'que claro', 'es correcto', '¿sí?', 'no está bien', 'asi es'],
    ...['sí y un café', 'qué vale', 'cuánto vale', 'todo bien', 'claro que no', 'por favor', 'eso es'],
  ])('in Spanish is not: %s', (words) => expect(isYes(words, 'es')).toBe(false))
})

describe('a no to what was read back', () => {
  test.each([
    ...['no', 'no no', 'that is not correct', "that's not right", "that isn't right", 'no, it is not correct', 'wrong'],
    ...["that's wrong", 'not correct', 'this is incorrect', 'it is all wrong', "that's not what I ordered"],
    ...["no that doesn't sound right", 'sorry, not quite right'],
  ])('in English: %s', (words) => expect(intends('no', words, 'en')).toBe(true))

  test.each([
    'no',
    'no es correcto',
    'eso no es lo que pedí',
    'no, no está bien',
    'así no es',
    'está mal',
    'no es así',
  ])('in Spanish: %s', (words) => expect(intends('no', words, 'es')).toBe(true))

  test.each(['no onions', 'no pickles please', 'that is right', 'not the fries'])('is not: %s', (words) =>
    expect(intends('no', words, 'en')).toBe(false),
  )
})
