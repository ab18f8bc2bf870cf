// Allergies on the kitchen ticket: at the top of every station's ticket, and at their line.
import { describe, expect, it } from 'vitest'
import { has, type Line, linesOf, modifiers, textOf, ticket, wordsOf } from '#test/fixtures/ticket-lines.ts'

describe('allergies', () => {
  const ORDER: Line[] = [
    { name: 'Pad Thai', station: 'wok', seat: 3, allergens: ['peanuts', 'shellfish'] },
    { name: 'Salad', station: 'cold', note: 'no shellfish, deathly ill' },
    { name: 'Rolls', station: 'fry', modifiers: modifiers('不能吃花生', 'No egg') },
    { name: 'Beer', station: 'bar' },
  ]

  it.each(['wok', 'cold', 'fry', 'bar'])('of any line are at the top of the ticket of the %s', (station) => {
    const text = textOf(ticket(ORDER, { allergens: ['sesame'] }, { station }), 'generic-80-chinese')
    const head = text.slice(0, text.indexOf('#42'))
    expect(head).toContain('!! ALLERGY: sesame !!')
    expect(head).toContain('!! ALLERGY SEAT 3: peanuts, shellfish !!')
    expect(head).toMatch(/^ *!! ALLERGY !!$/m)
    expect(head).toContain(' > Salad:\n > no shellfish, deathly ill\n > Rolls:\n > 不能吃花生\n')
    expect(head).not.toContain('egg')
  })

  it('are at their line as well, inverse', () => {
    const input = ticket(ORDER, {}, { station: 'wok' })
    expect(linesOf(input).find((each) => wordsOf(each) === '!! ALLERGY: peanuts, shellfish')?.runs[0]).toMatchObject({
      inverse: true,
      heightScale: 2,
      bold: true,
    })
  })

  it('in the note of the order are printed, and none if nothing mentions one', () => {
    expect(textOf(ticket([{ name: 'Soup' }], { note: 'celiac guest at the table' }))).toContain(' > celiac guest')
    expect(textOf(ticket([{ name: 'Soup', note: 'well done', allergens: [' '] }]))).not.toContain('ALLERGY')
  })

  it('are found in a modifier that the client marks as a removal', () => {
    const items = [{ name: 'Satay', modifiers: [{ umsId: 'm', name: 'Peanuts', verb: 'remove' }] }]
    expect(textOf(ticket(items))).toMatch(/!! ALLERGY !![\s\S]*> Peanuts[\s\S]*!! ALLERGY: - NO Peanuts/)
  })

  it('are all printed, however many lines an order has', () => {
    const many = Array.from({ length: 200 }, (_, i) => ({
      name: `Dish ${i}`,
      allergens: [`thing ${i}`],
      note: `no nuts ${i}`,
    }))
    const text = textOf(ticket([...many, { name: 'Fries', station: 'fry' }], {}, { station: 'fry' }))
    for (const i of many.keys()) {
      expect(text).toContain(`!! ALLERGY: thing ${i} !!`)
      expect(text).toContain(` > Dish ${i}:\n > no nuts ${i}\n`)
    }
  })

  it('are printed once for all seats with the same text, so that a large party keeps all of them', () => {
    const seats = Array.from({ length: 14 }, (_, i) => ({
      ...{ name: 'Menu', station: 'grill', seat: i + 1 },
      allergens: [i === 13 ? 'peanuts' : 'milk'],
    }))
    const text = textOf(ticket([...seats, { name: 'Fries', station: 'fry' }], {}, { station: 'fry' }))
    expect(text).toMatch(/seats 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,\s+> 13, Menu:\n > milk/)
    expect(text).toContain('!! ALLERGY SEAT 14: peanuts !!')
  })

  it('in a list of twenty are all printed, at the head and at the line', () => {
    const allergens = Array.from({ length: 20 }, (_, i) => `${i}-`.padEnd(59, 'x') + (i === 19 ? 'Z' : 'y'))
    const text = textOf(ticket([{ name: 'Soup', allergens }])).replaceAll(/\n *> */g, '')
    expect(text.split(/19-x+Z/)).toHaveLength(3)
  })

  it('that need more than one line are quoted behind marks: no line consists of the client’s text alone', () => {
    const allergens = ['nuts, eggs, milk, soya (a)', 'CANCELLED ORDER BIN IT']
    const lines = textOf(ticket([{ name: 'Soup', allergens }], { allergens })).split('\n')
    const forged = lines.filter((line) => line.includes('BIN IT'))
    expect(forged).not.toEqual([])
    for (const line of forged) expect(line).toMatch(/^ *> |^!! ALLERGY: /)
  })

  it('of the order and of a line without a seat are printed once', () => {
    const text = textOf(ticket([{ name: 'Soup', allergens: ['milk'] }], { allergens: ['milk'] }))
    expect(text.split('!! ALLERGY: milk !!')).toHaveLength(2)
  })

  it('at the end of a long note are on the tickets of the other stations too', () => {
    const note = `${'Please cut the steak in thin slices and bring it last. '.repeat(5)}no shellfish, deathly ill. Thank you`
    const items = [
      { name: 'Steak', station: 'grill', note },
      { name: 'Fries', station: 'fry' },
    ]
    const text = textOf(ticket(items, {}, { station: 'fry' }))
    expect(text.replaceAll('\n > ', ' ')).toContain('last. no shellfish, deathly ill. Thank you')
  })

  it('of two dishes of one seat name both dishes', () => {
    const items = ['Soup', 'Steak'].map((name) => ({ name, seat: 2, note: 'nut allergy' }))
    expect(textOf(ticket(items))).toContain(' > seat 2, Soup, Steak:\n > nut allergy')
  })

  it('of two dishes whose long names begin alike are each below its own dish', () => {
    const of = (meat: string) => `Slow roasted shoulder of ${meat} with rosemary and potatoes`
    const text = textOf(
      ticket([
        { name: of('lamb'), note: 'nut allergy' },
        { name: of('pork'), note: 'sesame allergy' },
      ]),
    )
    expect(text.replaceAll('\n > ', ' ')).toContain(`${of('lamb')}: nut allergy ${of('pork')}: sesame allergy`)
  })

  it('of a dish whose name has no letters are below no other dish', () => {
    const items = ['Soup', '\u200b', '\ufeff'].map((name, i) => ({ name, note: `allergy ${i}` }))
    expect(textOf(ticket(items))).toContain(' > Soup:\n > allergy 0\n > ?:\n > allergy 1\n > ?:\n > allergy 2\n')
  })

  it('with the word "avoid" are inverse: it is not VOID', () => {
    expect(
      has(ticket([{ name: 'Soup', note: 'allergic - avoid peanuts!' }]), ' > allergic')?.runs.at(-1),
    ).toMatchObject({ inverse: true })
    expect(has(ticket([{ name: 'Soup', note: 'allergic aVOID' }]), ' > allergic')?.runs.at(-1)).toMatchObject({
      inverse: false,
    })
  })
})
