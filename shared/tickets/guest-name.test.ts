// How much of a guest's name is shown to others: enough to call the guest, and never cut so that the meaning changes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { firstNameOf, maskedGuest } from './guest-name.ts'

describe("a guest's name as others see it", () => {
  it.each([
    ['Ana Maria Lopez', 'Ana L.'],
    ['Ana', 'Ana'],
    ["Siobhán O'Brien", 'Siobhán O.'],
    ['李 小龙', '李 小.'],
    ['李小龙', '李小龙'],
    ['Ana (Lopez)', 'Ana L.'],
    ['Ana Lopez 🎉', 'Ana L.'],
    ['Ana &', 'Ana'],
    ['  ', ''],
    ['🎉', '🎉'],
  ])('%j is %j', (name, masked) => {
    expect(maskedGuest(name)).toBe(masked)
  })

  it.each([
    ['Party of 20', 'Party of 20'],
    ['Party of 20 people', 'Party of 20'],
    ['party 8', 'party 8'],
    ['Grupo de 12', 'Grupo de 12'],
    ['Room 214', 'Room 214'],
    ['Table #7', 'Table #7'],
    ['Ana (2)', 'Ana (2)'],
    ['Ana Lopez 12', 'Ana L. 12'],
    ['Mesa ٢٠', 'Mesa ٢٠'],
  ])('keeps the number of %j whole: %j', (name, masked) => {
    expect(maskedGuest(name)).toBe(masked)
  })

  it.each([
    ['Ana Lopez 0612345678', 'Ana L.'],
    ['Ana 06 12 34 56 78', 'Ana'],
    ['Ana Lopez +1 555 0101', 'Ana L.'],
  ])('leaves the telephone number of %j out: %j', (name, masked) => {
    expect(maskedGuest(name)).toBe(masked)
  })

  it('never contains more of a person than the first word and one letter', () => {
    const word = fc.stringMatching(/^[A-Za-z]{4,12}$/)
    assertProperty(
      fc.property(word, fc.array(word, { minLength: 1, maxLength: 4 }), (first, others) => {
        expect(maskedGuest([first, ...others].join(' '))).toBe(`${first} ${others.at(-1)?.[0]}.`)
      }),
    )
  })
})

describe('the name by which a guest is called', () => {
  it.each([
    ['Ana Maria Lopez', 'Ana'],
    ['Ana L.', 'Ana'],
    ['Ana L. 12', 'Ana'],
    ['Party of 20', 'Party of 20'],
    ['', ''],
  ])('of %j is %j', (name, called) => {
    expect(firstNameOf(name)).toBe(called)
  })
})
