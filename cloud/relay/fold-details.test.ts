// An order with all kitchen fields, for a gateway of a release before those fields: every word is in the fields that it reads.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { KitchenOrder } from '#shared/order.ts'
import { jobDoc } from '#shared/wire/gateway-link.ts'
import { kioskOrder } from '#test/fixtures/kitchen-orders.ts'
import { DETAILS, detailsMadeOf, EVERY_DETAIL, textsOfDetail } from '#test/fixtures/order-details.ts'
import { assertProperty } from '#test/harness/property.ts'
import { foldDetails } from './fold-details.ts'

/** What a gateway of release 0.6 reads of an order: unknown fields are dropped. */
const olderOrder = z.object({
  serviceOrderId: z.string(),
  orderId: z.string(),
  source: z.string(),
  items: z.array(
    z.object({
      umsId: z.string(),
      name: z.string(),
      qty: z.number().int().min(1),
      note: z.string().optional(),
      modifiers: z.array(z.object({ umsId: z.string(), name: z.string() })).default([]),
      station: z.string().nullable().default(null),
    }),
  ),
})
/** The maximum length of each text that an older gateway prints. */
const OLDER_LIMITS = { note: 500, modifier: 80 }

const orderOf = (lines: readonly object[]) => kioskOrder(lines.map((line) => ({ umsId: 'u', qty: 1, ...line })))
const read = (order: KitchenOrder) => {
  const doc = foldDetails({ kind: 'order', order })
  if (doc.kind !== 'order') throw new Error('another kind')
  return olderOrder.parse(doc.order)
}
/** What the older gateway prints of a line. */
const printed = ({ items }: z.infer<typeof olderOrder>) =>
  items.map(({ note = '', modifiers }) =>
    [...modifiers.map(({ name }) => name.slice(0, OLDER_LIMITS.modifier)), note.slice(0, OLDER_LIMITS.note)].join(' '),
  )
const whole = (over: Partial<KitchenOrder> = {}) => ({
  ...orderOf([
    {
      ...{ name: 'Burger', station: 'grill', note: 'well done', seat: 3, course: 1, allergens: ['peanuts'] },
      modifiers: [
        { umsId: 'm1', name: 'onion', verb: 'remove' },
        { umsId: 'm2', name: 'salad', verb: 'instead' },
        { umsId: 'm3', name: 'ranch', verb: 'side', qty: 2, group: 'Sauces' },
        { umsId: 'm4', name: 'bacon', verb: 'add' },
        { umsId: 'm5', name: 'as it was' },
      ],
    },
    { name: 'Fries', station: 'fry' },
    { name: 'Steak', station: 'grill', course: 2 },
  ]),
  ...EVERY_DETAIL,
  ...over,
})

describe('an order for an older gateway', () => {
  test('prints the details of the whole order on every station’s ticket', () => {
    const [burger, fries, steak] = printed(read(whole()))
    for (const line of [burger, fries])
      for (const word of ['DINE-IN', 'TABLE Terrace 7', '631 GUESTS', 'SERVER Kim', 'birthday', 'ALLERGY: sesame'])
        expect(line).toContain(word)
    expect(steak).not.toContain('TABLE')
  })

  test.each(DETAILS)('says the %s in words that it prints', (detail) => {
    const [burger = ''] = printed(read(whole()))
    for (const text of textsOfDetail(detail)) expect(burger.toLowerCase()).toContain(text.toLowerCase())
  })

  test('has no field that the older gateway would drop', () => {
    const doc = foldDetails({ kind: 'order', order: whole() })
    if (doc.kind !== 'order') throw new Error('another kind')
    expect(Object.keys(doc.order).filter((key) => key in EVERY_DETAIL)).toEqual([])
  })

  test('prints seat, course and allergens of each line, and keeps its note', () => {
    const [burger, , steak] = printed(read(whole()))
    for (const word of ['SEAT 3', 'COURSE 1', 'ALLERGY: peanuts', 'well done']) expect(burger).toContain(word)
    expect(steak).toContain('COURSE 2')
  })

  test('prints the verb, number and group of a modifier, and leaves plain ones unchanged', () => {
    expect(read(whole()).items[0]?.modifiers.map(({ name }) => name)).toEqual([
      'NO onion',
      'SUB salad',
      'SIDE 2x ranch (Sauces)',
      'bacon',
      'as it was',
    ])
  })

  test('changes nothing of an order without details', () => {
    const order = orderOf([{ name: 'Burger', note: 'rare', modifiers: [{ umsId: 'm', name: 'No onion' }] }])
    expect(foldDetails({ kind: 'order', order })).toEqual({ kind: 'order', order })
  })

  test('is a document that every gateway takes, however long its words are', () => {
    const items = Array.from({ length: 200 }, (_, index) => ({
      name: 'x',
      station: `s${index}`,
      note: 'n'.repeat(500),
    }))
    const allergens = Array.from({ length: 20 }, () => 'y'.repeat(60))
    const doc = foldDetails({
      kind: 'order',
      order: { ...whole({ note: 'z'.repeat(500), allergens }), ...orderOf(items) },
    })
    expect(jobDoc.parse(doc)).toEqual(doc)
    expect(Buffer.byteLength(JSON.stringify(doc))).toBeLessThan(131_072)
  })

  test('never loses a word', () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/)
    const words = (most: number) => fc.array(word, { minLength: 1, maxLength: most }).map((list) => list.join(' '))
    const long = fc.record({
      note: words(40),
      allergens: fc.array(word, { minLength: 1, maxLength: 20 }),
    })
    assertProperty(
      fc.property(detailsMadeOf(word), long, words(40), (details, more, own) => {
        const order = { ...details, ...more }
        const [line = ''] = printed(read({ ...orderOf([{ name: 'x', note: own }]), ...order }))
        const said = line.replace(/\s+/g, ' ').toLowerCase()
        for (const text of [...Object.values(order).flat(), own])
          for (const one of String(text).split(' ')) expect(said).toContain(one)
      }),
      { numRuns: 200 },
    )
  })
})
