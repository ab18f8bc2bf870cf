// Every text that the API accepts prints completely at its maximum length, in any script.
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { KitchenLine } from '#shared/order.ts'
import { itemNameField, note, stationField, umsIdField } from '#shared/wire/api/fields.ts'
import { kitchenFields } from '#shared/wire/api/kitchen-fields.ts'
import { customer, injectOrder, lineItem, modifierObject, voidOrder } from '#shared/wire/api/orders.ts'
import { AT_THE_GRILL, webOrder } from '#test/fixtures/kitchen-orders.ts'
import type { KitchenTicketInput as TicketInput } from './kitchen-head.ts'
import { kitchenTicketLines } from './kitchen-ticket.ts'
import { labelTicketLines } from './label-ticket.ts'
import type { TicketLine } from './line-layout.ts'
import { profileById } from './printer-profiles.ts'
import { receiptTicketLines } from './receipt-ticket.ts'
import { renderDocument } from './render-ticket.ts'
import { MOST_NAMED } from './stand-in.ts'
import type { TextRaster } from './text-raster.ts'
import type { TicketPaper } from './ticket-paper.ts'

/** Maximum length of a field in characters; 0 if it takes no free text. */
function longest(field: z.ZodType): number {
  const lengths = Array.from({ length: 1_000 }, (_, n) => n + 1)
  return lengths.findLast((length) => field.safeParse('x'.repeat(length)).success) ?? 0
}

function textsOf(shape: Record<string, z.ZodType>): string[] {
  return Object.keys(shape).filter((name) => longest(shape[name]!) > 0)
}

/** A private use character and a rare mark, which no font has. */
const LACKS = ['\ue000', '\u1acf']
const RASTER: TextRaster = {
  draw: async (requests) => requests.map(() => ({ widthDots: 8, heightDots: 32, rows: new Uint8Array(32).fill(0xff) })),
  missing: async (texts) => {
    const lacking = Array.from(texts, (text): [string, string] => [
      text,
      Array.from(text)
        .filter((letter) => LACKS.includes(letter))
        .join(''),
    ])
    return new Map(lacking.filter(([, lacks]) => lacks !== ''))
  },
}

const filled = (pattern: string, length: number) => pattern.repeat(length).slice(0, length)
/** How a text of this length is written, and what appears on paper for it. */
const WRITTEN = {
  'in words': (length: number) => {
    const words = Array.from({ length }, (_, n) => `Wo${n}rd`).join(' ')
    return {
      text: words.slice(0, length - 1).padEnd(length, 'z'),
      stands: words.slice(0, length - 1).padEnd(length, 'z'),
    }
  },
  'without a space': (length: number) => ({ text: filled('Abcde', length), stands: filled('Abcde', length) }),
  'in Chinese': (length: number) => ({ text: filled('寿司麺', length), stands: filled('寿司麺', length) }),
  'in characters that no font has': (length: number) => ({
    text: '\ue000'.repeat(length),
    stands: '[U+E000]'.repeat(Math.min(length, MOST_NAMED)) + '?'.repeat(Math.max(length - MOST_NAMED, 0)),
  }),
  'in letters with marks that no font has': (length: number) => {
    const text = filled('x\u1acf\u1acf\u1acf\u1acf', length)
    const named = text.replaceAll('\u1acf', '[U+1ACF]')
    const marks = text.split('\u1acf').length - 1
    return { text, stands: marks <= MOST_NAMED ? named : `${'x[U+1ACF][U+1ACF][U+1ACF][U+1ACF]'.repeat(4)}?` }
  },
} satisfies Record<string, (length: number) => { text: string; stands: string }>

/** Removes line breaks and frames, and collapses a row of question marks. */
const squeezed = (words: string) => words.replace(/[\s|>]/g, '').replace(/\?+/g, '?')

async function paperText(layout: (paper: TicketPaper) => TicketLine[], profileId: string): Promise<string> {
  let lines: TicketLine[] = []
  const kept = (paper: TicketPaper) => {
    lines = layout(paper)
    return lines
  }
  await renderDocument(kept, profileById(profileId), { raster: RASTER })
  return squeezed(lines.map(({ runs }) => runs.map(({ text }) => text).join('')).join(''))
}

const line = (fields: Partial<KitchenLine>): KitchenLine => ({
  ...{ umsId: 'ums_1', name: 'Soup', qty: 1, modifiers: [], station: null },
  ...fields,
})
const modifier = (fields: object) => [{ umsId: 'm', name: 'Salad', ...fields }]

type Paper = (paper: TicketPaper) => TicketLine[]
interface Said {
  order?: object
  item?: Partial<KitchenLine>
  ticket?: Partial<TicketInput>
}

function kitchenTicket({ order = {}, item = {}, ticket = {} }: Said): Paper {
  const items = [line(item)]
  const input = { kind: 'order' as const, items, station: null, alsoAt: [], ...AT_THE_GRILL, ...ticket }
  return (paper) => kitchenTicketLines({ ...input, order: webOrder(items, order) }, paper)
}
function label({ order = {}, item = {} }: Said): Paper {
  const items = [line(item)]
  return (paper) => labelTicketLines({ ...AT_THE_GRILL, order: webOrder(items, order), item: items[0]! }, paper)
}
function receipt({ order = {}, item = {} }: Said): Paper {
  const items = [line(item)]
  const amounts = { receipt: { currency: 'USD', totalCents: 100, tipCents: 0 } }
  return (paper) => receiptTicketLines({ ...AT_THE_GRILL, order: webOrder(items, { ...amounts, ...order }) }, paper)
}

type Case = [name: string, field: z.ZodType, said: (text: string) => Said]
const ORDER = injectOrder.shape
const ofOrder = (name: keyof typeof ORDER): Case => [name, ORDER[name], (text) => ({ order: { [name]: text } })]
const GUEST: Case = [
  'name of the guest',
  customer.shape.name,
  (name) => ({ order: { customer: { name: name.replaceAll(' ', '') } } }),
]
const NAME: Case = ['name of an item', itemNameField, (name) => ({ item: { name } })]
const MODIFIER: Case = ['name of a modifier', itemNameField, (name) => ({ item: { modifiers: modifier({ name }) } })]
const GROUP: Case = ['group', modifierObject.shape.group, (group) => ({ item: { modifiers: modifier({ group }) } })]
const NOTE: Case = ['note of an item', lineItem.shape.note, (note) => ({ item: { note } })]

/** Every text that an order may have for the kitchen: a new one is printed in full, or these tests fail. */
const OF_THE_KITCHEN = textsOf(kitchenFields) as (keyof typeof kitchenFields)[]

const ON_A_KITCHEN_TICKET: Case[] = [
  ...(['source', 'addOnTo', ...OF_THE_KITCHEN] as const).map(ofOrder),
  ['table beside a type', ORDER.table, (table) => ({ order: { table, orderType: 'dine-in' } })],
  ...[GUEST, NAME, MODIFIER, GROUP, NOTE],
  ['id of an item without a name', umsIdField, (umsId) => ({ item: { umsId, name: '\u200b' } })],
  ['rest of a warning', note(longest(lineItem.shape.note) - 8), (rest) => ({ item: { note: `allergy ${rest}` } })],
  ['reason of a void', voidOrder.shape.reason, (voidReason) => ({ ticket: { kind: 'void', voidReason } })],
  ['station', stationField, (station) => ({ ticket: { station, alsoAt: ['fry'] } })],
  ['station beside it', stationField, (station) => ({ ticket: { alsoAt: [station] } })],
]
const ON_A_LABEL: Case[] = [GUEST, NAME, MODIFIER, GROUP, NOTE, ofOrder('source')]
const ON_A_RECEIPT: Case[] = [NAME, MODIFIER]

const HOWEVER_WRITTEN = Object.keys(WRITTEN) as (keyof typeof WRITTEN)[]
const PAPERS = ['generic-58', 'epson-thermal-203']

function holdsWhole(make: (said: Said) => Paper) {
  return async (_: string, field: z.ZodType, said: (text: string) => Said) => {
    for (const how of HOWEVER_WRITTEN) {
      const { text, stands } = WRITTEN[how](longest(field))
      for (const profileId of PAPERS) {
        const words = await paperText(make(said(text)), profileId)
        expect(words, `${how} on ${profileId}`).toContain(squeezed(stands))
        expect(words).not.toContain('...')
      }
    }
  }
}

describe('at its maximum length prints completely on a kitchen ticket of 58 and of 80 mm:', () => {
  it.each(ON_A_KITCHEN_TICKET)('the %s', holdsWhole(kitchenTicket))
})
describe('at its maximum length prints completely on a label of a roll:', () => {
  it.each(ON_A_LABEL)('the %s', holdsWhole(label))
})
describe('at its maximum length prints completely on a receipt:', () => {
  it.each(ON_A_RECEIPT)('the %s', holdsWhole(receipt))
})

it('an orderId of maximum length prints completely at the foot of a kitchen ticket', async () => {
  const orderId = filled('Abcde', longest(ORDER.orderId))
  for (const profileId of PAPERS)
    expect(await paperText(kitchenTicket({ order: { orderId } }), profileId)).toContain(`order${orderId}`)
})

it('the longest list of allergens prints completely at the head and at the line', async () => {
  const allergens = Array.from({ length: 20 }, (_, n) => filled(`${n}Abcde`, 60))
  expect(ORDER.allergens.safeParse(allergens).success).toBe(true)
  expect(ORDER.allergens.safeParse([...allergens, 'x']).success).toBe(false)
  for (const profileId of PAPERS) {
    const words = await paperText(kitchenTicket({ item: { allergens } }), profileId)
    expect(words.split(allergens.join(','))).toHaveLength(3)
  }
})

it('these tests cover every text of an order', () => {
  const onPaper = ['source', 'addOnTo', 'orderId', ...OF_THE_KITCHEN]
  const elsewhere = ['merchantId', 'locationId']
  expect(textsOf(ORDER).sort()).toEqual([...onPaper, ...elsewhere].sort())
  expect(textsOf(lineItem.shape)).toEqual(['umsId', 'note'])
  expect(textsOf(modifierObject.shape)).toEqual(['umsId', 'group'])
  expect(textsOf(customer.shape)).toEqual(['name', 'phone'])
})
