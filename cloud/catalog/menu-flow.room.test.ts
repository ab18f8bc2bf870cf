// The catalog in the whole relay, over a real socket: orders and voids change the stock, events reach the endpoint, six platforms get updates.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { WholeRelay } from '#test/contract/whole-relay.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'

let relay: WholeRelay
let receiver: WebhookReceiver
beforeAll(async () => {
  relay = await WholeRelay.start()
})
afterAll(() => relay.stop())
beforeEach(async () => {
  receiver = new WebhookReceiver()
  await receiver.start()
})
afterEach(() => receiver.stop())

// biome-ignore lint/suspicious/noExplicitAny: tests look into the body of any answer
async function call(method: string, path: string, body?: object): Promise<any> {
  const answer = await relay.call({ method, path, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  expect(relay.faultsOf(answer)).toEqual([])
  return JSON.parse(answer.text)
}

const inject = (merchantId: string, orderId: string, umsId: string, qty: number) =>
  call('POST', '/v1/order/inject', {
    merchantId,
    orderId,
    source: 'web',
    items: [{ umsId, qty, price: 2 }],
    total: qty * 2,
  })

test('orders take stock until none is left, and a void gives it back', async () => {
  const merchantId = 'M-TEST-001'
  const umsId = 'UMS-STEAK-01'
  await call('POST', '/v1/webhooks', {
    merchantId,
    url: receiver.url,
    events: ['sku.low_stock', 'sku.silenced', 'sku.restored'],
  })
  await call('PUT', `/v1/sku/${umsId}/stock`, { merchantId, quantity: 7 })
  const first = await inject(merchantId, 'stock-1', umsId, 4)
  expect(first.status).toBe('accepted')
  expect((await inject(merchantId, 'stock-2', umsId, 4)).code).toBe('ums.item_silenced')
  expect((await inject(merchantId, 'stock-3', umsId, 3)).status).toBe('accepted')
  // A repetition is answered as the first was, although nothing is left.
  expect(await inject(merchantId, 'stock-1', umsId, 4)).toEqual(first)
  const read = () => call('GET', `/v1/sku/${umsId}?merchantId=${merchantId}`)
  expect(await read()).toMatchObject({ stock: { quantity: 0 }, state: 'silenced', orderable: false })

  const path = `/v1/order/${first.serviceOrderId}/void`
  await call('POST', path, { merchantId })
  await call('POST', path, { merchantId })
  expect(await read()).toMatchObject({ stock: { quantity: 4 }, state: 'live', orderable: true })
  const events = (await receiver.waitFor(3)).map(({ event }) => [event.type, event.sequence])
  expect(events).toEqual([
    ['sku.low_stock', 1],
    ['sku.silenced', 2],
    ['sku.restored', 3],
  ])
})

test('a silence reaches the six platforms of M-TEST-002 by itself', async () => {
  const merchantId = 'M-TEST-002'
  const { data: channels } = await call('GET', `/v1/channels?merchantId=${merchantId}`)
  expect(channels).toHaveLength(6)
  const [item] = (await call('GET', `/v1/skus?merchantId=${merchantId}&limit=1`)).data
  await call('POST', '/v1/webhooks', { merchantId, url: receiver.url, events: ['sku.silenced'] })
  const silenced = await call('POST', `/v1/sku/${encodeURIComponent(item.umsId)}/silence`, { merchantId })
  expect(silenced.channels.map((channel: { sync: string }) => channel.sync).sort()).toEqual([
    ...Array.from({ length: 6 }, () => 'pending'),
    'synced',
  ])
  const [received] = await receiver.waitFor(1)
  expect(received?.event.data['channels']).toHaveLength(7)
  // Each read is a round trip, so this does not spin; vitest ends it if the platforms never get it.
  for (;;) {
    const sku = await call('GET', `/v1/sku/${encodeURIComponent(item.umsId)}?merchantId=${merchantId}`)
    if (sku.channels.every((channel: { sync: string }) => channel.sync === 'synced')) break
  }
})
