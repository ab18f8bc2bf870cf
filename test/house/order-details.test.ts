// Wherever an order is shown or described, each of its fields stands there, or is left out for a reason that is written here.
import { describe, expect, it } from 'vitest'
import { EXAMPLES } from '#cloud/api/openapi/examples.ts'
import { clientDocument } from '#cloud/orders/print-document.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import { boardTicket } from '#gateway/kitchen/board-order.ts'
import { orderWords } from '#gateway/storage/order-words.ts'
import { asId } from '#shared/ids.ts'
import { submitPrintJob } from '#shared/wire/api/printing.ts'
import { webOrder } from '#test/fixtures/kitchen-orders.ts'
import { DETAILS, type Detail, EVERY_DETAIL, textsOfDetail } from '#test/fixtures/order-details.ts'
import { textOf, ticket } from '#test/fixtures/ticket-lines.ts'
import { read } from './source-files.ts'

interface Place {
  place: string
  shows: (detail: Detail) => boolean
  /** Fields that do not stand there, each with the reason. */
  leavesOut: Partial<Record<Detail, string>>
}

const ORDER = webOrder([{ umsId: 'U-1', name: 'Soup', qty: 1 }], EVERY_DETAIL)

/** Whether all texts of the field are in this text, in capitals or not. */
const isIn = (text: string) => (detail: Detail) =>
  textsOfDetail(detail).every((one) => text.toLowerCase().includes(one.toLowerCase()))

/** The part of a file from one text to the next occurrence of another. */
function between(file: string, from: string, to: string): string {
  const [, part] = read(file).split(from)
  if (part === undefined) throw new Error(`${file} has no "${from}" any more: mend the table of this test`)
  return part.split(to)[0] ?? ''
}

/** Whether a component reads the field, as `order.table` or as a part of an order that it takes apart. */
const isReadIn = (file: string, component: string) => {
  const body = between(file, `function ${component}(`, '\n}\n')
  return (detail: Detail) => new RegExp(`\\border\\.${detail}\\b|\\{[^{}]*\\b${detail}\\b[^{}]*\\} = `).test(body)
}

/** Whether a page writes the field in code type. */
const isWrittenIn = (text: string) => (detail: Detail) => text.includes(`\`${detail}\``)

const HEAD = 'gateway/web/kitchen/ticket-head.tsx'
const RUNNER = 'gateway/web/kitchen/runner.tsx'
const NO_TEXT = 'no free text'

const PLACES: Place[] = [
  {
    place: 'the kitchen ticket',
    shows: isIn(textOf(ticket([{ name: 'Soup' }], EVERY_DETAIL))),
    leavesOut: {},
  },
  {
    place: 'what a kitchen display gets: BoardOrder, boardTicket',
    shows: isIn(
      JSON.stringify(
        boardTicket({ order: ORDER, isTest: false } as unknown as Parameters<typeof boardTicket>[0]).fixed,
      ),
    ),
    leavesOut: {},
  },
  {
    place: 'the head of a ticket on a kitchen display: Place, Who',
    shows: (detail) => isReadIn(HEAD, 'Place')(detail) || isReadIn(HEAD, 'Who')(detail),
    leavesOut: { note: 'has blocks of its own: ticket-blocks.ts', allergens: 'have blocks of their own' },
  },
  {
    place: "a card of the runner's screen: RunOrder, Carried",
    shows: (detail) => isReadIn(RUNNER, 'RunOrder')(detail) || isReadIn(RUNNER, 'Carried')(detail),
    leavesOut: { note: 'is for those who cook' },
  },
  {
    place: "the page of an order on the gateway's page: OrderFacts",
    shows: isReadIn('gateway/web/admin/parts/order-card.tsx', 'OrderFacts'),
    leavesOut: {},
  },
  {
    place: "the search of the gateway's page: textsOf",
    shows: (detail) => textsOfDetail(detail).every((one) => orderWords(one)?.fits('pj_1', ORDER) === true),
    leavesOut: {
      guests: 'a number that many orders have',
      note: 'a sentence: its words would find other orders',
      allergens: 'words that many orders have',
    },
  },
  {
    place: 'the page of an order in the dashboard: OrderFacts',
    shows: isReadIn('cloud/web/parts/orders/order-side.tsx', 'OrderFacts'),
    leavesOut: {},
  },
  {
    place: 'the top of a kitchen note: submitPrintJob, headOf',
    shows: (detail) => detail in submitPrintJob.shape && isIn(kitchenNote())(detail),
    leavesOut: { guests: 'a note is about the table', note: 'is the text itself' },
  },
  {
    place: 'the example of an order: EXAMPLES',
    shows: (detail) => Object.hasOwn(EXAMPLES['POST /v1/order/inject']?.body ?? {}, detail),
    leavesOut: { note: 'stands at a line there', allergens: 'stand at a line there' },
  },
  {
    place: 'docs/api.md, optional fields',
    shows: isWrittenIn(between('docs/api.md', '- Optional fields for the kitchen: ', '\n')),
    leavesOut: {},
  },
  {
    place: 'docs/api.md, Limits',
    shows: isWrittenIn(between('docs/api.md', '### Limits', '\n#')),
    leavesOut: { orderType: NO_TEXT },
  },
  {
    place: 'docs/tickets.md, How long a text may be',
    shows: isWrittenIn(between('docs/tickets.md', '## How long a text may be', '\n#')),
    leavesOut: { orderType: NO_TEXT, guests: NO_TEXT },
  },
  {
    place: 'docs/wire-protocol.md, Older gateways',
    shows: isWrittenIn(between('docs/wire-protocol.md', '- **Older gateways.**', ' of the order,')),
    leavesOut: {},
  },
]

/** A kitchen note with everything that may stand at its top. */
function kitchenNote(): string {
  const allowed = DETAILS.filter((detail) => detail in submitPrintJob.shape)
  const head = Object.fromEntries(allowed.map((detail) => [detail, EVERY_DETAIL[detail]]))
  const body = submitPrintJob.parse({ merchantId: 'M-1', type: 'kitchen', text: 'Hurry', ...head })
  const at = { locationId: asId<'loc'>('loc_1'), target: { printerId: null, station: null, copies: 1 }, nowMs: 0 }
  return JSON.stringify(clientDocument({ publicId: 'M-1', timeZone: 'UTC' } as MerchantRecord, body, at))
}

describe.each(PLACES)('$place', ({ shows, leavesOut }) => {
  it('has every field of an order that it does not leave out', () => {
    expect(DETAILS.filter((detail) => !(detail in leavesOut) && !shows(detail))).toEqual([])
  })

  it('does not have what it leaves out', () => {
    expect(DETAILS.filter((detail) => detail in leavesOut && shows(detail))).toEqual([])
  })
})
