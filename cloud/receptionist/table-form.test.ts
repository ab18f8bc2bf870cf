// The telephone number of a request for a table: a number in words or digits, or a plain yes to the number that the call comes from.
import { describe, expect, test } from 'vitest'
import { callFacts } from '#test/fixtures/call-facts.ts'
import { nextMove } from './call-machine.ts'
import { type CallFacts, type CallState, NEW_CALL } from './call-state.ts'

const FROM = '+12125550142'
const asked: CallState = {
  ...NEW_CALL,
  ...{ status: 'in_progress', place: 'table-number' },
  table: { name: 'Ana', party: 2, wanted: 'tonight at eight' },
}

/** The number that was taken; null: it is asked for again. */
function numberOf(text: string, change: Partial<Omit<CallFacts, 'profile'>> = {}): string | null {
  const { effects } = nextMove(asked, { kind: 'speech', text, confidence: null }, callFacts(change))
  const [table] = effects.filter((effect) => effect.do === 'table')
  return table?.phone ?? null
}

describe('the number that the call comes from is taken', () => {
  test.each(['yes', 'Yes please.', 'yes, this number', 'this number', 'you can call me at this number', 'sure'])(
    'at: %s',
    (words) => expect(numberOf(words)).toBe(FROM),
  )
  test.each(['sí', 'sí, a este número', 'este mismo', 'claro que sí'])('in Spanish at: %s', (words) =>
    expect(numberOf(words, { language: 'es' })).toBe(FROM),
  )
  test.each([
    ...['is that right', 'am I right?', 'yes?', 'okay is this the right one', 'this number?', 'this number is wrong'],
    ...['not this number', 'sure you did', 'that one is correct I guess', 'call my wife', 'ok so what now'],
  ])('but not at: %s', (words) => expect(numberOf(words)).toBe(null))
  test.each(['¿sí?', 'este no', 'no está bien', 'que claro'])('in Spanish not at: %s', (words) =>
    expect(numberOf(words, { language: 'es' })).toBe(null),
  )
  test('never where it is withheld', () => expect(numberOf('yes', { from: null })).toBe(null))
})

test.each([
  ['oh, two one two five five five oh one seventy seven', '+12125550100', '+12125550177'],
  ['two one two, five five five, zero one seven seven', '+12125550100', '+12125550177'],
  ['212-555-0177', '+12125550100', '+12125550177'],
  ['612 34 56 78', '+34911234567', '+34612345678'],
  ['no, use 416 555 0123', '+12125550100', '+14165550123'],
  ['555 0177', '+12125550100', null],
])('"%s", called at %s, is %s', (words, to, number) => expect(numberOf(words, { to })).toBe(number))
