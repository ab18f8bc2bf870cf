// A caller who asks about the menu, before an order and in the middle of one: against the relay's own menu.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import { asId } from '#shared/ids.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { CallOrders } from './call-orders.ts'
import { EMPTY_DRAFT, type OrderDraft, type OrderReply } from './order-taker.ts'

let api: RelayApi
let merchant: MerchantRecord
let taker: CallOrders
beforeEach(async () => {
  api = await RelayApi.open()
  merchant = await api.authorize({ accountId: api.account.accountId, environment: 'sandbox' } as never, 'M-TEST-001')
  taker = new CallOrders({ ...api.stores, driver: null })
})
afterEach(() => api.close())

const say = (words: string, draft: OrderDraft): Promise<OrderReply> =>
  taker.turn(
    {
      ...{ merchant, callId: asId<'call'>('call_01kaj2vq8ze3s9vd2m4xw7rbtn'), from: '+12125550123', language: 'en' },
      ...{ words, draft, limits: { mostAmountCents: 15_000, mostOfALine: 20 } },
    },
    new AbortController().signal,
  )

/** The call, sentence by sentence. @returns the last reply */
async function call(sentences: readonly string[]): Promise<OrderReply> {
  let reply: OrderReply = { kind: 'asks', draft: EMPTY_DRAFT, say: '' }
  for (const words of sentences) reply = await say(words, reply.draft)
  return reply
}

const setItem = (umsId: string, change: object) =>
  api.db.unit((tx) => api.stores.catalog.update(tx, { merchant_id: api.merchantKey, ums_id: umsId }, change))

describe('a question about the menu', () => {
  test('is answered, adds nothing, and a yes to its offer is none to the order', async () => {
    const asked = await call(['a smash burger', 'how much are the fries?'])
    expect(asked).toMatchObject({
      ...{ kind: 'asks', say: 'Pommes Frites is 4.50 US dollars. Shall I add it?' },
      draft: { lines: [{ name: 'Smash Burger', qty: 1 }] },
    })
    const added = await say('yes, two please', asked.draft)
    expect(added.say).toMatch(/^1 Smash Burger; 2 Pommes Frites\. That is 21\.50 US dollars in all\. Say yes/)
    expect(await api.db.read.selectFrom('orders').select('id').execute()).toEqual([])
  })

  test('beside an order is answered with it', async () => {
    const { say: words } = await call(['two smash burgers. Do you have fries?'])
    expect(words).toMatch(/^Pommes Frites is 4\.50 US dollars\. 2 Smash Burger\. That is 25\.00 US dollars in all\./)
  })

  test('leaves the order as it was at a no', async () => {
    const { say: words } = await call(['a smash burger', 'how much are the fries?', 'no thanks'])
    expect(words).toMatch(/^1 Smash Burger\. That is 12\.50 US dollars in all\. Say yes/)
  })

  test('is all that some callers want', async () => {
    expect(await call(['how much are the fries?', 'no thank you'])).toMatchObject({
      ...{ kind: 'left', say: 'All right, I have not ordered anything.', draft: { offered: null } },
    })
  })

  test('is answered with the price of now, and what is sold out is not offered', async () => {
    await setItem('UMS-FRIES-01', { price_cents: 500 })
    expect((await call(['how much are the fries?'])).say).toMatch(/^Pommes Frites is 5\.00 US dollars\./)
    await setItem('UMS-FRIES-01', { silenced_at: 1 })
    expect((await call(['do you have fries?'])).say).toBe('I am sorry, Pommes Frites is sold out. What would you like?')
  })

  test('leaves an open question open', async () => {
    await setItem('UMS-FRIES-01', { name: 'Veggie Burger' })
    const { say: words, draft } = await call(['a burger', 'how much is the veggie burger?'])
    expect(words).toMatch(/^Veggie Burger is 4\.50 US dollars\. Which one: /)
    expect(draft).toMatchObject({ offered: null, questions: [{ qty: 1 }] })
  })
})
