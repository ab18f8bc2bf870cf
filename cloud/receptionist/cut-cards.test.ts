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

/** Sixteen digits with a right check digit, the first of them 4. */
const visa = card
  .filter((digits) => digits.length >= 15)
  .map((digits) => {
    const body = `4${digits.slice(0, 14)}`
    const check = Array.from({ length: 10 }, (_, digit) => `${body}${digit}`).find((whole) => isRight(whole))
    return check ?? ''
  })

const isRight = (digits: string): boolean =>
  [...digits].toReversed().reduce((all, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2)
    return all + (value > 9 ? value - 9 : value)
  }, 0) %
    10 ===
  0

const MISHEARD = ['oh', 'won', 'to', 'tree', 'for', 'five', 'six', 'seven', 'ate', 'niner']
const WAYS = {
  figures: (group: string) => group,
  misheard: (group: string) => [...group].map((digit) => MISHEARD[Number(digit)]).join(' '),
  arabic: (group: string) => [...group].map((digit) => String.fromCodePoint(0x0660 + Number(digit))).join(''),
  devanagari: (group: string) => [...group].map((digit) => String.fromCodePoint(0x0966 + Number(digit))).join(''),
}

/** In four groups; the first and the last in figures, so that another digit may stand at them. */
const distorted = (digits: string) =>
  fc
    .tuple(
      fc.array(fc.constantFrom(...(Object.keys(WAYS) as (keyof typeof WAYS)[])), { minLength: 2, maxLength: 2 }),
      fc.array(fc.constantFrom(' ', ' then it goes ', ' and I think after that ', ' x ', ' - '), {
        minLength: 3,
        maxLength: 3,
      }),
    )
    .map(([ways, between]) => {
      const as = ['figures', ...ways, 'figures'] as (keyof typeof WAYS)[]
      return as.map((way, at) => WAYS[way](digits.slice(4 * at, 4 * at + 4)) + (between[at] ?? '')).join('')
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
    ['it is 24111 1111 1111 1111', `it is ${CUT_CARD}`],
    ['4111 1111 1111 11112 okay', `${CUT_CARD} okay`],
    ['for one one one one one one one one one one one one one one one', CUT_CARD],
    ['four one one one one one one one won one one one one one one one', CUT_CARD],
    ['4111 then it goes 1111 and then 1111 and 1111 thanks', `${CUT_CARD} thanks`],
    ['4111x1111x1111x1111', CUT_CARD],
    ['\u0664\u0661\u0661\u0661 \u0661\u0661\u0661\u0661 1111 \u{1d7d9}\u{1d7cf}\uff11\u0967 end', `${CUT_CARD} end`],
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

  test('of a large issuer is cut also misheard, with another digit at it, in other digits, and with words between', () => {
    assertProperty(
      fc.property(
        visa.chain((digits) => fc.tuple(distorted(digits), fc.constantFrom('', '0', '7', '12'), fc.boolean())),
        ([spoken, fused, isBefore]) => {
          const cut = cutCards(`my card is ${isBefore ? fused + spoken : spoken + fused} is that right`)
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
    'for two to eat at 450 Main Street, my number is 212 555 0142, come at 7 or call 646 555 0155',
    'I ate too much for one or two, so to be fair 4 of 10',
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
