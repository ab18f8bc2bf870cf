// One message, one segment: what fits, and what becomes of names that do not.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { fitsOneSegment, gsmPlaces } from './one-segment.ts'
import { CUSTOMER_LANGUAGES, readyText } from './ready-text.ts'

const english = (name: string, number = '41') => readyText('en', { name, number })

describe('places in GSM 03.38', () => {
  it.each([
    ['Bistro', 6],
    ['Ñandú', null],
    ['è é ù ì ò Ç Ø ø Å å Ä ö ñ ü à', 29],
    ['[a]', 5],
    ['5 €', 4],
    ['日', null],
    ['', 0],
  ])('%j takes %j', (text, places) => {
    expect(gsmPlaces(text)).toBe(places)
  })

  it('160 places are one segment, 161 are not; an extended character takes two', () => {
    expect(fitsOneSegment('a'.repeat(160))).toBe(true)
    expect(fitsOneSegment('a'.repeat(161))).toBe(false)
    expect(fitsOneSegment(`${'a'.repeat(158)}€`)).toBe(true)
    expect(fitsOneSegment(`${'a'.repeat(159)}€`)).toBe(false)
  })

  it('outside of the alphabet 70 units of UTF-16 are one segment', () => {
    expect(fitsOneSegment('日'.repeat(70))).toBe(true)
    expect(fitsOneSegment('日'.repeat(71))).toBe(false)
    expect(fitsOneSegment('🍕'.repeat(36))).toBe(false)
  })
})

describe('the text of an order that is ready', () => {
  it('is that of the language', () => {
    expect(english('Bistro')).toBe('Bistro: order 41 is ready for pickup. Reply STOP to end.')
    expect(readyText('es', { name: 'Café Ñu', number: '7' })).toBe(
      'Café Ñu: su pedido 7 ya se puede recoger. Responda STOP para no recibir otros mensajes.',
    )
    expect(readyText('zh-Hans', { name: '北京饭店', number: '41' })).toBe(
      '北京饭店: 订单 41 可以取餐了。回复 STOP 退订。',
    )
  })

  it('writes letters that the alphabet lacks with those that it has', () => {
    expect(english('Łódź “Pączki”')).toBe('Lodz "Paczki": order 41 is ready for pickup. Reply STOP to end.')
    expect(english('Tacos María')).toBe('Tacos Maria: order 41 is ready for pickup. Reply STOP to end.')
  })

  it('keeps a name of other letters while that is one segment, and cuts it where it is not', () => {
    expect(english('北京饭店')).toBe('北京饭店: order 41 is ready for pickup. Reply STOP to end.')
    const long = english('北京'.repeat(40))
    expect(long).toMatch(/^(?:北京)+北?: order 41 is ready/u)
    expect(long.length).toBe(70)
  })

  it('cuts a giant name, and leaves pictures, control characters and turning marks out', () => {
    const long = english('Bistro '.repeat(400))
    expect(gsmPlaces(long)).toBeGreaterThan(150)
    expect(long).toMatch(/: order 41 is ready for pickup\. Reply STOP to end\.$/)
    expect(english('🍕 Tony\u0000’s\r\nPizza\u202e 👨‍👩‍👧')).toBe(
      "Tony 's Pizza: order 41 is ready for pickup. Reply STOP to end.",
    )
    expect(english('🍕🍕')).toBe('Order 41 is ready for pickup. Reply STOP to end.')
  })

  it('is one segment and one line, whatever the name and the number are', () => {
    assertProperty(
      fc.property(
        fc.constantFrom(...CUSTOMER_LANGUAGES),
        fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'grapheme', maxLength: 300 })),
        fc.stringMatching(/^[\x21-\x7e]{1,128}$/),
        (language, name, number) => {
          const text = readyText(language, { name, number })
          expect(fitsOneSegment(text)).toBe(true)
          expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e]/u)
          expect(text).toContain('STOP')
          expect(text).toContain(number.slice(0, 12).replaceAll('`', "'"))
        },
      ),
    )
  })
})
