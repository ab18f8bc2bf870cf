// An order as the blocks of its ticket: their order, and what changes the height of a block.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boardLine, boardOrder, FRIDAY_MS, fridayNight } from '#test/fixtures/friday-orders.ts'
import { DETAILS, EVERY_DETAIL } from '#test/fixtures/order-details.ts'
import { assertProperty } from '#test/harness/property.ts'
import { blocksOf, modifierOf, progressOf, seatsOf } from './ticket-blocks.ts'

const EXPO = { displayId: 'd1', stations: [], served: ['grill', 'fry', 'cold'], adopts: false }
const GRILL = { ...EXPO, stations: ['grill'] }
const kinds = (blocks: ReturnType<typeof blocksOf>) => blocks.map(({ content }) => content.is)

describe('a ticket', () => {
  it('has its head, warnings, lines with their modifiers and notes, the stations and its buttons, in this order', () => {
    const lines = [
      boardLine({ name: 'Burger', modifiers: ['- NO onion'], note: 'well done', isAllergy: true, allergens: ['nuts'] }),
      boardLine({ name: 'Fries', station: 'fry', course: 2 }),
    ]
    const courses = [{ course: 2, stations: ['fry'], firedAtMs: null }]
    const order = boardOrder(1, { lines, courses, note: 'window seat', allergens: [{ words: 'nuts', seat: null }] })
    expect(kinds(blocksOf(order, EXPO, '7'))).toEqual([
      ...['head', 'order-allergy', 'banner', 'order-note', 'line', 'modifier', 'line-note', 'line-allergy'],
      ...['course', 'line', 'stations', 'foot'],
    ])
  })

  it('of a station has its own lines, all allergies, and the progress of the others', () => {
    const lines = [boardLine({ name: 'Burger' }), boardLine({ name: 'Fries', station: 'fry' })]
    const order = boardOrder(1, { lines, struckLines: [1], allergens: [{ words: 'nuts', seat: 2, item: 'Fries' }] })
    const blocks = blocksOf(order, GRILL, '')
    expect(kinds(blocks)).toEqual(['head', 'order-allergy', 'line', 'stations', 'foot'])
    expect(blocks[3]?.content).toMatchObject({ isAll: false, stations: [{ name: 'Fry', done: 1, lines: 1 }] })
  })

  it('that was voided has the reason, and the button that acknowledges it', () => {
    const order = boardOrder(1, {
      lines: [boardLine({ name: 'Soup' })],
      voidedAtMs: FRIDAY_MS,
      voidReason: 'guest left',
    })
    const blocks = blocksOf(order, GRILL, '')
    expect(blocks[1]?.content).toMatchObject({ word: 'voided', text: 'guest left' })
    expect(blocks[blocks.length - 1]?.content).toEqual({ is: 'foot', buttons: 'void-seen' })
  })

  it('marks a line of a station without a display, if this display has adopted it', () => {
    const order = boardOrder(1, { lines: [boardLine({ name: 'Cake', station: 'pastry' })] })
    const nobodys = (adopts: boolean) =>
      blocksOf(order, { ...GRILL, adopts }, '').map(({ content }) => (content.is === 'line' ? content.nobodys : null))
    expect(nobodys(true)).toContain('pastry')
  })
})

describe('heights', () => {
  it('do not change when a line is struck off, a station starts or time passes', () => {
    for (const order of fridayNight()) {
      const struck = { ...order, struckLines: order.lines.map((_, place) => place) }
      const started = { ...order, stations: order.stations.map((station) => ({ ...station, startedAtMs: FRIDAY_MS })) }
      const keys = blocksOf(order, EXPO, '').map(({ key }) => key)
      expect(blocksOf(struck, EXPO, '').map(({ key }) => key)).toEqual(keys)
      expect(blocksOf(started, EXPO, '').map(({ key }) => key)).toEqual(keys)
    }
  })

  it('are measured again when an order has a further field that its ticket shows', () => {
    const plain = boardOrder(1, { lines: [boardLine({ name: 'Soup' })] })
    const shown = { ...EVERY_DETAIL, allergens: [{ words: 'sesame', seat: null }] }
    const keysWith = (change: object) => blocksOf({ ...plain, ...change }, EXPO, '').map(({ key }) => key)
    const fields = DETAILS.filter((detail) => detail in plain)
    expect(fields).toContain('table')
    for (const field of fields) expect(keysWith({ [field]: shown[field] }), field).not.toEqual(keysWith({}))
  })

  it('of a note of any length are in pieces that together have all of its text', () => {
    assertProperty(
      fc.property(fc.string({ minLength: 1, maxLength: 2_000, unit: 'grapheme' }), (note) => {
        const blocks = blocksOf(boardOrder(1, { lines: [boardLine({ name: 'Soup', note })] }), GRILL, '')
        const texts = blocks.flatMap(({ content }) => (content.is === 'line-note' ? [content.text] : []))
        expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(120)
        expect(texts.join('').replace(/\s/g, '')).toBe(note.replace(/\s/g, ''))
        expect(texts.join('').isWellFormed()).toBe(note.isWellFormed())
      }),
    )
  })
})

it('reads a modifier by the sign that it has on paper', () => {
  expect(modifierOf('- NO onion')).toEqual({ does: 'remove', sign: '-', words: 'NO onion' })
  expect(modifierOf('<> SUB salad')).toEqual({ does: 'instead', sign: '→', words: 'SUB salad' })
  expect(modifierOf('// SIDE dressing')).toEqual({ does: 'side', sign: '//', words: 'SIDE dressing' })
  expect(modifierOf('++ EXTRA hot')).toMatchObject({ does: 'more', words: 'EXTRA hot' })
  expect(modifierOf('+- LIGHT salt')).toMatchObject({ does: 'less' })
  expect(modifierOf('0 sugar')).toEqual({ does: 'plain', sign: '', words: '0 sugar' })
})

it('shows the seats of the lines as ranges', () => {
  const seated = (seats: (number | null)[]) =>
    boardOrder(1, { lines: seats.map((seat) => boardLine({ name: 'Soup', seat })) })
  expect(seatsOf(seated([4, 1, 2, 3]), EXPO)).toBe('1-4')
  expect(seatsOf(seated([1, 3, null]), EXPO)).toBe('1, 3')
  expect(seatsOf(seated([null]), EXPO)).toBe('')
})

it('counts what each station has made', () => {
  const lines = [boardLine({ name: 'A' }), boardLine({ name: 'B' }), boardLine({ name: 'C', station: 'fry' })]
  expect(
    progressOf(boardOrder(1, { lines, struckLines: [0] })).map(({ done, lines: all }) => `${done}/${all}`),
  ).toEqual(['1/2', '0/1'])
})
