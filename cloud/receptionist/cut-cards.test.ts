// Card numbers in what callers say: whatever way they are said, they are cut; what is no card stays letter by letter.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { CUT_CARD, cutCards } from './cut-cards.ts'

const UNITS = {
  en: ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'],
  es: ['cero', 'uno', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve'],
}

/** Any number of 13 to 19 digits with a right check digit. */
const card = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 18 }).map((digits) => {
  const sum = digits.toReversed().reduce((all, digit, at) => {
    const twice = at % 2 === 0 ? digit * 2 : digit
    return all + (twice > 9 ? twice - 9 : twice)
  }, 0)
  return [...digits, (10 - (sum % 10)) % 10].join('')
})

/** The digits in groups, each said as figures or as words, with something between them. */
const said = (digits: string) =>
  fc
    .array(
      fc.record({
        size: fc.integer({ min: 1, max: 6 }),
        as: fc.constantFrom('figures', 'en', 'es'),
        after: fc.constantFrom(' ', '-', ', ', ' - ', '. ', ' and ', ' um '),
      }),
      { minLength: 19, maxLength: 19 },
    )
    .map((groups) => {
      let text = ''
      let at = 0
      for (const { size, as, after } of groups) {
        const group = digits.slice(at, at + size)
        if (group === '') break
        const words = as === 'figures' ? group : [...group].map((digit) => UNITS[as as 'en'][Number(digit)]).join(' ')
        text += (text === '' ? '' : after) + words
        at += size
      }
      return text
    })

describe('a card number', () => {
  test.each([
    ['my card is 4111 1111 1111 1111, thanks', `my card is ${CUT_CARD}, thanks`],
    ['4111-1111-1111-1111', CUT_CARD],
    ['it is 378282246310005 okay', `it is ${CUT_CARD} okay`],
    ['four one one one, one one one one, one one one one, one one one one', CUT_CARD],
    ['Forty-one eleven eleven eleven eleven eleven eleven eleven', CUT_CARD],
    ['forty one hundred, zero zero zero zero, zero zero zero zero, zero zero zero one', CUT_CARD],
    ['four triple one, one one one one, double one double one, one one one one please', `${CUT_CARD} please`],
    ['cuarenta y uno once once once once once once once, gracias', `${CUT_CARD}, gracias`],
    ['CUATRO uno uno uno uno uno uno uno uno uno uno uno uno uno uno uno', CUT_CARD],
    ['two burgers, 4111111111111111', `two burgers, ${CUT_CARD}`],
    ['card14111111111111111x', `card${CUT_CARD}x`],
  ])('is cut from "%s"', (text, expected) => {
    expect(cutCards(text)).toBe(expected)
  })

  test('is cut whatever groups, words and languages it is said in, and the words around it stay', () => {
    assertProperty(
      fc.property(
        card.chain((digits) => said(digits)),
        (spoken) => {
          const cut = cutCards(`my card is ${spoken} is that right`)
          expect(cut).toBe(`my card is ${CUT_CARD} is that right`)
        },
      ),
    )
  })

  test('is cut where two of them follow one another', () => {
    const cut = cutCards('4111 1111 1111 1111 and 5555 5555 5555 4444')
    expect(cut.replaceAll(CUT_CARD, '')).not.toMatch(/\d/)
  })
})

describe('what is no card number stays', () => {
  test.each([
    'call me at 212 555 0100, or 212-555-0199 after six',
    'a table for four on the twenty first of May at half past seven, name of Ruth',
    'order 4111 1111 1111 1112 is wrong by one digit',
    'dos hamburguesas y una cola para las siete y media',
    '',
  ])('"%s"', (text) => {
    expect(cutCards(text)).toBe(text)
  })

  test('letter by letter, in any text with fewer than 13 digits and no words of numbers', () => {
    assertProperty(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        fc.pre((text.match(/\d/g) ?? []).length < 13 && !/\p{L}{2}/u.test(text))
        expect(cutCards(text)).toBe(text)
      }),
    )
  })
})
