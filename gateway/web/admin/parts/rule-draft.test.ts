// Rules in the form: what it shows is what it sends, whatever the rule says; and each rule is a sentence in every language.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ar } from '#gateway/web/admin/messages/ar.ts'
import type { Messages } from '#gateway/web/admin/messages/en.ts'
import { en } from '#gateway/web/admin/messages/en.ts'
import { es } from '#gateway/web/admin/messages/es.ts'
import { zhHans } from '#gateway/web/admin/messages/zh-hans.ts'
import { ORDER_TYPES } from '#shared/order.ts'
import { routingRule } from '#shared/tickets/routing-rules.ts'
import { assertProperty } from '#test/harness/property.ts'
import { EMPTY_RULE, movedBy, RULE_ORDER_TYPES, ruleDraftOf, ruleOf } from './rule-draft.ts'
import { ruleSentence } from './rule-sentence.ts'

const word = fc.constantFrom('Grill', 'Bar 2', '热菜', 'a/b')
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const anyRule = fc
  .record({
    name: word,
    when: fc.record({
      paper: maybe(fc.constantFrom('kitchen', 'receipt', 'label')),
      ...{
        station: maybe(word),
        category: maybe(word),
        umsId: maybe(word),
        locationId: maybe(word),
        source: maybe(word),
      },
      ...{ orderType: maybe(fc.constantFrom(...ORDER_TYPES)), course: maybe(fc.integer({ min: 1, max: 99 })) },
    }),
    print: fc.record({
      ...{ printerIds: fc.uniqueArray(fc.constantFrom('grill', 'bar', 'pass'), { minLength: 1 }) },
      ...{ paper: fc.constantFrom('kitchen', 'receipt', 'label'), copies: maybe(fc.integer({ min: 1, max: 5 })) },
      ...{ split: maybe(fc.constantFrom('consolidated', 'per-item')), station: maybe(word) },
    }),
    stop: fc.boolean(),
  })
  .map((drawn) => routingRule.safeParse(JSON.parse(JSON.stringify(drawn))))
  .filter((parsed) => parsed.success)
  .map(({ data }) => data)
  .filter((rule) => rule !== undefined)

describe('a rule in the form', () => {
  it('is sent unchanged when it was not edited', () => {
    assertProperty(
      fc.property(anyRule, (rule) => {
        // `kitchen` is what an absent paper means.
        const { paper, ...when } = rule.when
        const same = paper === 'kitchen' ? { ...rule, when } : rule
        expect(ruleOf(ruleDraftOf(rule), '')).toEqual(same)
      }),
    )
  })

  it('gets its sentence as its name when it was given none', () => {
    const draft = { ...EMPTY_RULE, of: 'Grill', printerIds: ['pass'] }
    expect(ruleOf(draft, 'Lines of Grill also go to Pass.').name).toBe('Lines of Grill also go to Pass.')
    expect(routingRule.safeParse(ruleOf(draft, 'x'.repeat(200))).success).toBe(true)
  })

  it('has no order-only conditions when it is for print jobs', () => {
    const draft = {
      ...EMPTY_RULE,
      subject: 'receipt' as const,
      orderType: 'delivery',
      source: 'kiosk',
      printerIds: ['p'],
    }
    expect(routingRule.parse(ruleOf(draft, 'r'))).toMatchObject({
      when: { paper: 'receipt' },
      print: { paper: 'receipt' },
    })
  })
})

it('offers the types of orders that there are', () => {
  expect(RULE_ORDER_TYPES).toEqual(ORDER_TYPES)
  for (const t of [en, es, zhHans, ar]) expect(Object.keys(t.rules.orderTypes)).toEqual(ORDER_TYPES)
})

describe('the order of rules', () => {
  it('changes by one place, and never past the ends', () => {
    expect(movedBy(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b'])
    expect(movedBy(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
    expect(movedBy(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
    expect(movedBy(['a', 'b'], 1, 1)).toEqual(['a', 'b'])
  })
})

describe('the sentence of a rule', () => {
  const rule = (change: object) => routingRule.parse({ name: 'r', print: { printerIds: ['pass', 'bar'] }, ...change })
  const said = (change: object, t: Messages = en) =>
    ruleSentence(rule(change), t, (id) => id.toUpperCase()).replaceAll(/[\u2068\u2069]/g, '')

  it.each([
    [{}, 'All lines also go to PASS, BAR.'],
    [
      { when: { station: 'Grill', orderType: 'delivery', source: 'kiosk' } },
      'Lines of station Grill in delivery orders from kiosk also go to PASS, BAR.',
    ],
    [{ when: { orderType: 'delivery' }, stop: true }, 'All lines in delivery orders go only to PASS, BAR.'],
    [
      { when: { category: 'Drinks', course: 2, locationId: 'loc_1' } },
      'Lines of category Drinks of course 2 at location loc_1 also go to PASS, BAR.',
    ],
    [
      { when: { paper: 'receipt' }, print: { printerIds: ['bar'], paper: 'receipt' } },
      'Receipts that others send also go to BAR.',
    ],
    [
      { print: { printerIds: ['bar'], paper: 'label', copies: 2, split: 'per-item', station: 'Bag' } },
      'All lines also go to BAR as labels (2 copies, a ticket for each line, as station Bag).',
    ],
  ])('of %j', (change, sentence) => {
    expect(said(change)).toBe(sentence)
  })

  it('is available in Spanish and Chinese too', () => {
    const change = { when: { station: 'Grill', orderType: 'delivery', source: 'kiosk' }, stop: true }
    expect(said(change, es)).toBe(
      'Las líneas de la estación Grill en pedidos a domicilio de kiosk salen solo en PASS, BAR.',
    )
    expect(said(change, zhHans)).toBe('来自 kiosk 的外卖订单中，工位 Grill 的菜品只送到 PASS、BAR。')
  })

  it('counts one copy as one', () => {
    const change = { print: { printerIds: ['bar'], copies: 1 } }
    expect(said(change)).toBe('All lines also go to BAR (1 copy).')
    expect(said(change, es)).toBe('Todas las líneas salen también en BAR (1 copia).')
  })

  it('keeps names from outside apart from its words', () => {
    const name = '\u202Eevil'
    const text = ruleSentence(rule({ when: { station: name } }), en, (id) => id)
    expect(text).toContain(`\u2068${name}\u2069`)
  })
})
