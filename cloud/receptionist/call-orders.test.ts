// Orders by voice against the relay's own orders: what is placed, once, at the catalog's prices, and when a person takes over.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import { asId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { CallOrders, type OrderDriver } from './call-orders.ts'
import type { OrderCommand } from './order-draft.ts'
import { EMPTY_DRAFT, type OrderDraft, type OrderReply, type OrderTurn } from './order-taker.ts'

const signal = new AbortController().signal
const callId = asId<'call'>('call_01kaj2vq8ze3s9vd2m4xw7rbtn')
let api: RelayApi
let clock: ManualClock
let merchant: MerchantRecord
let taker: CallOrders
beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
  merchant = await merchantCalled('M-TEST-001')
  taker = takerWith(null)
})
afterEach(() => api.close())

const merchantCalled = (merchantId: string) =>
  api.authorize({ accountId: api.account.accountId, environment: 'sandbox' } as never, merchantId)

const takerWith = (driver: OrderDriver | null) => new CallOrders({ ...api.stores, driver })

const turn = (words: string, draft: OrderDraft, change: Partial<OrderTurn> = {}): OrderTurn => ({
  ...{ merchant, callId, from: '+12125550123', language: 'en', words, draft },
  limits: { mostAmountCents: 15_000, mostOfALine: 20 },
  ...change,
})

/** The call, sentence by sentence. @returns the last reply */
async function call(sentences: readonly string[], change: Partial<OrderTurn> = {}): Promise<OrderReply> {
  let reply: OrderReply = { kind: 'asks', draft: EMPTY_DRAFT, say: '' }
  for (const words of sentences) reply = await taker.turn(turn(words, reply.draft, change), signal)
  return reply
}

const orders = async () => {
  const rows = await api.db.read.selectFrom('orders').selectAll().orderBy('id').execute()
  return rows.map((row) => ({ id: row.id, cents: row.total_cents, body: JSON.parse(row.body) }))
}

const setItem = (umsId: string, change: object) =>
  api.db.unit((tx) => api.stores.catalog.update(tx, { merchant_id: api.merchantKey, ums_id: umsId }, change))

describe('an order by voice', () => {
  test('is read back, and placed at a yes with the prices of the catalog', async () => {
    const asked = await call(['two smash burgers and fries'])
    expect(asked).toMatchObject({
      kind: 'asks',
      say: '2 Smash Burger; 1 Pommes Frites. That is 29.50 US dollars in all. Say yes to order it, or tell me what to change.',
    })
    expect(await orders()).toEqual([])
    const placed = await taker.turn(turn('yes please', asked.draft), signal)
    const [order] = await orders()
    expect(placed).toEqual({
      kind: 'placed',
      orderId: order?.id,
      draft: { ...EMPTY_DRAFT, placed: 1 },
      say: 'Thank you, your order is placed. It will be ready in about 12 minutes. When you pick it up, please give the last four digits of your number: 0 1 2 3.',
    })
    expect(order).toMatchObject({
      cents: 2950,
      body: {
        orderId: `call:${callId}:1`,
        source: 'voice',
        orderType: 'takeaway',
        total: 29.5,
        customer: { name: 'Tel. 0123', phone: '+12125550123' },
        items: [
          { umsId: 'UMS-BURGER-01', qty: 2, price: 12.5 },
          { umsId: 'UMS-FRIES-01', qty: 1, price: 4.5 },
        ],
      },
    })
  })

  test('is placed once, however often the yes comes, also when the menu has changed since', async () => {
    const { draft } = await call(['a smash burger'])
    const replies = await Promise.all([1, 2, 3].map(() => taker.turn(turn('yes', draft), signal)))
    await setItem('UMS-BURGER-01', { price_cents: 1400, silenced_at: clock.now() })
    // As after a crash between the order and the answer.
    replies.push(await takerWith(null).turn(turn('yes', draft), signal))
    const [order, ...others] = await orders()
    expect(others).toEqual([])
    for (const reply of replies) expect(reply).toEqual({ ...replies[0], kind: 'placed', orderId: order?.id })
  })

  test('is never said to be placed when what is on disk is another one', async () => {
    const { draft } = await call(['a smash burger'])
    await taker.turn(turn('yes', draft), signal)
    const two = await taker.turn(turn('make it two', draft), signal)
    expect(await taker.turn(turn('yes', two.draft), signal)).toMatchObject({
      ...{ kind: 'transfer', reason: 'refused', draft: { lines: [{ qty: 2 }] } },
    })
    expect((await orders()).map(({ cents }) => cents)).toEqual([1250])
  })

  test.each(['that is not correct', "that isn't right", 'no, it is wrong'])(
    'is asked about, and keeps its lines, at "%s"',
    async (words) => {
      const { draft, say } = await call(['a smash burger', words])
      expect([say, draft.lines.map(({ note }) => note)]).toEqual(['What would you like to change?', [null]])
    },
  )

  test('is read back once more at a question whether it is right', async () => {
    const reply = await call(['a smash burger', 'is that right'])
    expect(reply).toMatchObject({ kind: 'asks', say: expect.stringMatching(/^1 Smash Burger\. That is/) })
  })

  test('gets the next number for a second order of the call', async () => {
    await call(['a smash burger', 'yes', 'a creme brulee', 'yes'])
    expect((await orders()).map(({ body }) => body.orderId).sort()).toEqual([`call:${callId}:1`, `call:${callId}:2`])
  })

  test.each([
    ['yes'],
    ['a smash burger', 'yes and fries'],
    ['a smash burger', 'no', 'yes'],
    ['a smash burger', 'maybe'],
    ...['is that right', 'am I right', 'is that all correct', 'is it okay', 'you okay'].map((words) => [
      ...['a smash burger', words],
    ]),
    ['a smash burger', 'fries', 'make that two'],
  ])('is not placed by %s', async (...sentences) => {
    expect((await call(sentences)).kind).not.toBe('placed')
    expect(await orders()).toEqual([])
  })

  test('is read back again after each change, and a yes is a yes to that', async () => {
    const reply = await call(['a smash burger', 'make that three', 'no pickles', "that's all", 'yes'])
    expect(reply.kind).toBe('placed')
    expect((await orders())[0]?.body.items).toEqual([
      { umsId: 'UMS-BURGER-01', qty: 3, price: 12.5, note: 'no pickles' },
    ])
  })

  test.each(["that's all", 'That is all.', 'that is it', "that'll be all"])(
    'is complete at "%s": only a yes is missing',
    async (done) => {
      const reply = await call(['a smash burger and fries', done])
      expect(reply).toMatchObject({ kind: 'asks', say: 'Shall I order it? Please say yes or no.' })
      expect((await call(['a smash burger and fries', done, 'yes'])).kind).toBe('placed')
    },
  )

  test('has the price of its modifiers in the lines', async () => {
    await setItem('UMS-MOD-CHEESE', { price_cents: 150 })
    await call(['two smash burgers with extra cheese', 'yes'])
    expect(await orders()).toMatchObject([
      { cents: 2800, body: { items: [{ price: 14, qty: 2, modifiers: ['UMS-MOD-CHEESE'] }] } },
    ])
  })

  test('is read back again when a price or the stock changed before the yes', async () => {
    const { draft } = await call(['a smash burger and fries'])
    await setItem('UMS-BURGER-01', { price_cents: 1350 })
    await setItem('UMS-FRIES-01', { silenced_at: clock.now() })
    const again = await taker.turn(turn('yes', draft), signal)
    expect(again).toMatchObject({
      kind: 'asks',
      say: 'Something has changed since I read your order. I am sorry, Pommes Frites is sold out. 1 Smash Burger. That is 13.50 US dollars in all. Say yes to order it, or tell me what to change.',
    })
    expect(await taker.turn(turn('yes', again.draft), signal)).toMatchObject({ kind: 'placed' })
    expect((await orders()).map(({ cents }) => cents)).toEqual([1350])
  })

  test('is read back again when nothing but a price changed, and is never placed at the old one', async () => {
    const { draft } = await call(['a smash burger'])
    await setItem('UMS-BURGER-01', { price_cents: 1350 })
    expect(await taker.turn(turn('yes', draft), signal)).toMatchObject({
      kind: 'asks',
      say: expect.stringContaining('13.50'),
    })
    expect(await orders()).toEqual([])
  })

  test('counts as taken when no printer is connected', async () => {
    merchant = await merchantCalled('M-TEST-PRINTER-OFFLINE')
    const reply = await call(['a smash burger', 'yes'])
    expect(reply).toMatchObject({
      kind: 'placed',
      say: expect.stringMatching(/^Thank you, your order is placed. The kitchen will confirm the time. When/),
    })
    expect(await orders()).toHaveLength(1)
  })

  test('has no time at a live restaurant of whose kitchen nothing is known', async () => {
    const { draft } = await call(['a smash burger'])
    const live = { ...merchant, environment: 'live' } as const
    const printJobs = Object.assign(Object.create(api.stores.printJobs), { kitchensAt: async () => [] })
    taker = new CallOrders({ ...api.stores, driver: null, printJobs })
    expect((await taker.turn(turn('yes', draft, { merchant: live }), signal)).say).toContain(
      'Thank you, your order is placed. The kitchen will confirm the time.',
    )
  })

  test('asks for a name when the number is withheld', async () => {
    const asked = await call(['a smash burger'], { from: null })
    expect(asked).toMatchObject({ kind: 'asks', say: 'What name is the order for?' })
    expect((await taker.turn(turn('yes', asked.draft, { from: null }), signal)).kind).toBe('asks')
    await call(['a smash burger', "it's for Ana", 'yes'], { from: null })
    expect((await orders()).map(({ body }) => body.customer)).toEqual([{ name: 'Ana' }])
  })

  test('speaks Spanish', async () => {
    const asked = await call(['dos pommes frites'], { language: 'es' })
    expect(asked.say).toBe(
      '2 Pommes Frites. Son 9,00 dólares estadounidenses en total. Diga sí para pedirlo, o dígame qué cambiar.',
    )
    expect((await call(['dos pommes frites', 'sí'], { language: 'es' })).kind).toBe('placed')
  })
})

describe('what is not sold', () => {
  test('is named', async () => {
    await setItem('UMS-FRIES-01', { silenced_at: clock.now() })
    await setItem('UMS-BURGER-01', { stock: 1 })
    const { say } = await call(['two smash burgers and fries and a creme brulee'])
    expect(say).toMatch(
      /^I am sorry, there is only 1 Smash Burger left\. I am sorry, Pommes Frites is sold out\. 1 Crème brûlée\./,
    )
  })

  test('is never in the order, whatever words ask for it', async () => {
    const { say } = await call(['a submarine sandwich'])
    expect(say).toBe(
      'I did not find submarine sandwich on the menu. There is nothing in your order yet. What would you like?',
    )
  })
})

describe('a person takes over', () => {
  test.each([
    ['person', 'can I speak to a person'],
    ['person', 'operator'],
    ['person', 'quiero hablar con una persona'],
    ['allergy', 'is there gluten, I am allergic'],
    ['allergy', 'my son has a nut allergy'],
    ['complaint', 'I want my money back'],
    ['delivery', 'I want two burgers delivered to 12 Main Street'],
    ['delivery', 'can you bring it to my house'],
    ['delivery', 'dos hamburguesas a domicilio'],
    ['later', 'a smash burger for pickup at 8 30 tomorrow'],
    ['later', 'I will pick it up at eight thirty'],
    ['later', 'can I get it for seven pm'],
    ['later', 'ready in an hour please'],
    ['later', 'una hamburguesa para las ocho'],
    ['amount', 'twenty one smash burgers'],
    ['amount', 'ten smash burgers and ten fries'],
  ])('for %s: %s', async (reason, words) => {
    const reply = await call(['a creme brulee', words])
    expect(reply).toMatchObject({ kind: 'transfer', reason })
    expect(reply.draft.lines.map(({ umsId }) => umsId)).toContain('UMS-BRULEE-01')
    expect(await orders()).toEqual([])
  })

  test('after two turns in a row that nobody understood', async () => {
    expect((await call(['a creme brulee', 'blah blah', 'blah'])).kind).toBe('transfer')
    expect((await call(['a creme brulee', 'blah blah', 'fries', 'blah'])).kind).toBe('asks')
  })

  test('when the relay refuses the order', async () => {
    await api.db.unit((tx) => tx.updateTable('merchants').set({ currency: 'JPY' }).execute())
    merchant = await merchantCalled('M-TEST-001')
    expect(await call(['a creme brulee', 'yes'])).toMatchObject({ kind: 'transfer', reason: 'refused' })
    expect(await orders()).toEqual([])
  })

  test('when the relay is in trouble, and no word of the caller is in the log', async () => {
    const { draft } = await call(['a creme brulee for my canary'])
    taker = new CallOrders({
      ...api.stores,
      driver: null,
      orders: { ...api.stores.orders, first: () => Promise.reject(new Error('the database is away')) } as never,
    })
    expect(await taker.turn(turn('yes', draft), signal)).toMatchObject({ kind: 'transfer', reason: 'refused', draft })
    const lines = api.logLines.join('')
    expect(lines).toContain(callId)
    expect(lines).not.toMatch(/canary|\+12125550123/)
  })
})

describe('two items that fit several each', () => {
  // Poulet Rôti and the chicken wings.
  const asked = ['two chicken and a smash burger']

  test('are asked about, and nothing is placed before the answer', async () => {
    expect(await call(asked)).toMatchObject({ kind: 'asks', say: expect.stringMatching(/^Which one: Poulet Rôti or /) })
    expect(await call([...asked, 'yes'])).toMatchObject({ kind: 'asks', say: expect.stringMatching(/^Which one/) })
    expect(await call([...asked, "that's all"])).toMatchObject({ say: expect.stringMatching(/^Which one/) })
    const reply = await call([...asked, 'and fries', 'the wings', 'yes'])
    expect(reply.kind).toBe('placed')
    const [order] = await orders()
    expect(order?.body.items).toMatchObject([
      { umsId: 'UMS-BURGER-01', qty: 1 },
      { umsId: 'UMS-FRIES-01', qty: 1 },
      { umsId: 'UMS-WINGS-01', qty: 2 },
    ])
  })

  test('are left out at a no, which is said', async () => {
    expect(await call([...asked, 'no'])).toMatchObject({
      say: expect.stringMatching(/^I left that out\. 1 Smash Burger\. That is/),
    })
  })
})

test.each(['never mind the fries', 'forget about the fries', 'I changed my mind, no fries'])(
  'a caller who says "%s" leaves the rest of the order as it is',
  async (words) => {
    expect(await call(['a smash burger and fries', words])).toMatchObject({
      kind: 'asks',
      draft: { lines: [{ umsId: 'UMS-BURGER-01', qty: 1 }] },
    })
  },
)

test('a caller who wants nothing after all leaves an empty draft', async () => {
  expect(await call(['a smash burger', 'never mind'])).toMatchObject({ kind: 'left', draft: { lines: [] } })
})

test.each([
  'it is not for delivery',
  'pick it up at the counter',
  'in twenty minutes',
  'two at most',
  'at two dollars each',
])('no person is needed for: %s', async (words) => {
  expect((await call(['a smash burger', words])).kind).toBe('asks')
})

test('a yes that is longer than what is listened to is none: what stands behind it may be a no', async () => {
  expect((await call(['a smash burger', `${'yes '.repeat(250)}no wait`])).kind).toBe('asks')
  expect(await orders()).toEqual([])
})

describe('a cancellation of what is placed', () => {
  test.each(['wait, cancel my order please', 'cancel that please', 'cancelar mi pedido'])(
    'is for a person, and is never said to be done: %s',
    async (words) => {
      const { draft } = await call(['a smash burger', 'yes'])
      const reply = await taker.turn(turn(words, draft, { language: words.includes('pedido') ? 'es' : 'en' }), signal)
      expect(reply).toMatchObject({ kind: 'transfer', reason: 'person' })
      expect(reply.say).toMatch(/^(Only the restaurant can cancel|Un pedido que ya está hecho solo)/)
      expect(await orders()).toHaveLength(1)
    },
  )

  test.each(['I need to cancel the order I placed ten minutes ago', 'quiero cancelar el pedido que hice'])(
    'also in a new call: %s',
    async (words) => {
      expect(await call([words], { language: words.includes('pedido') ? 'es' : 'en' })).toMatchObject({
        kind: 'transfer',
        reason: 'person',
      })
    },
  )

  test('who wants nothing more hears that the placed order stays', async () => {
    expect(await call(['a smash burger', 'yes', 'never mind'])).toMatchObject({
      kind: 'left',
      say: 'All right. I have ordered nothing more, and the order that is placed stays.',
    })
  })
})

describe('a driver', () => {
  const says = (commands: OrderCommand[] | null) => takerWith({ understand: async () => commands })

  test('that fails is replaced by the words', async () => {
    taker = takerWith({ understand: () => Promise.reject(new Error('away')) })
    expect((await call(['two smash burgers'])).draft.lines).toMatchObject([{ qty: 2 }])
    taker = says(null)
    expect((await call(['two smash burgers'])).draft.lines).toMatchObject([{ qty: 2 }])
  })

  test('is not asked for a yes, and cannot place anything', async () => {
    taker = says([{ do: 'add', umsId: 'UMS-BURGER-01', qty: 1, modifiers: [], note: null }])
    expect((await call(['yes', 'order it now'])).kind).toBe('asks')
    expect(await orders()).toEqual([])
  })
})

test('the recognition is told the names of the menu', async () => {
  expect(await taker.hints(merchant)).toContain('Smash Burger')
})
