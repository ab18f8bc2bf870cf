// What must be there before an example of the reference can be sent: an order, a print job, an endpoint. Everything is made through the API itself.
import type { WholeRelay } from './whole-relay.ts'

const merchantId = 'M-TEST-001'

/** Values for the path's parameters, by `METHOD path` of operations that have some. */
export type Given = (relay: WholeRelay, hookUrl: string) => Promise<Record<string, string>>

let orders = 0

// biome-ignore lint/suspicious/noExplicitAny: tests look into the body of any answer
async function post(relay: WholeRelay, path: string, body: object): Promise<any> {
  const answer = await relay.call({ method: 'POST', path, body: JSON.stringify({ merchantId, ...body }) })
  if (answer.status >= 300) throw new Error(`given: POST ${path} -> ${answer.status} ${answer.text}`)
  return JSON.parse(answer.text)
}

/** Asks until `done`; vitest's own timeout is the limit. */
// biome-ignore lint/suspicious/noExplicitAny: as above
async function until(relay: WholeRelay, path: string, done: (body: any) => boolean): Promise<any> {
  for (;;) {
    const body = JSON.parse((await relay.call({ method: 'GET', path: `${path}?merchantId=${merchantId}` })).text)
    if (done(body)) return body
  }
}

async function order(relay: WholeRelay, change: object = {}): Promise<{ serviceOrderId: string; printJobId: string }> {
  const items = [{ umsId: 'UMS-BURGER-01', qty: 1, price: 12.5 }]
  return post(relay, '/v1/order/inject', {
    orderId: `given-${++orders}`,
    source: 'given',
    items,
    total: 12.5,
    ...change,
  })
}

const anOrderOfTwoCourses: Given = async (relay) => {
  const items = [1, 2].map((course) => ({ umsId: 'UMS-BURGER-01', qty: 1, price: 12.5, course }))
  return { serviceOrderId: (await order(relay, { items, total: 25 })).serviceOrderId }
}
const anOrder: Given = async (relay) => ({ serviceOrderId: (await order(relay)).serviceOrderId })
const aPrintedOrder: Given = async (relay) => {
  const { serviceOrderId } = await order(relay, { customer: { name: 'Ana' } })
  await until(relay, `/v1/order/${serviceOrderId}`, ({ status }) => status === 'printed')
  return { serviceOrderId }
}
const aCompletedOrder: Given = async (relay) => {
  const { serviceOrderId } = await order(relay)
  await post(relay, `/v1/test/order/${serviceOrderId}/advance`, { to: 'completed' })
  return { serviceOrderId }
}
const aPrintJob: Given = async (relay) => {
  const { printJobId } = await post(relay, '/v1/print/job', { type: 'kitchen', text: 'given' })
  return { printJobId }
}
const aPrintedJob: Given = async (relay) => {
  const { printJobId } = await order(relay)
  const { data } = await until(relay, `/v1/test/print/job/${printJobId}/tickets`, ({ data }) => data.length > 0)
  return { printJobId, ticketId: data[0].ticketId }
}
const anEndpoint: Given = async (relay, hookUrl) => {
  const { webhookId } = await post(relay, '/v1/webhooks', { url: hookUrl })
  return { webhookId }
}
const aDelivery: Given = async (relay, hookUrl) => {
  const { webhookId = '' } = await anEndpoint(relay, hookUrl)
  return { webhookId, ...(await post(relay, `/v1/webhook/${webhookId}/test`, { type: 'order.ready' })) }
}
const aListener: Given = async (relay) => {
  const { webhookId } = await post(relay, '/v1/webhook/listener', {})
  return { webhookId }
}
/** Of a stream that was left again before its result is told. */
const aSentDelivery: Given = async (relay) => {
  const { webhookId } = await post(relay, '/v1/webhook/listener', {})
  const { deliveryId } = await post(relay, `/v1/webhook/${webhookId}/test`, { type: 'order.ready' })
  await relay.readStream(`/v1/webhook/${webhookId}/stream`, 'event: delivery')
  return { webhookId, deliveryId }
}
const anItem: Given = async () => ({ umsId: 'UMS-BURGER-01' })

export const GIVEN: Readonly<Record<string, Given>> = {
  'GET /v1/order/{serviceOrderId}': aPrintedOrder,
  'POST /v1/order/{serviceOrderId}/void': anOrder,
  'POST /v1/order/{serviceOrderId}/fire': anOrderOfTwoCourses,
  'POST /v1/order/{serviceOrderId}/refund': aCompletedOrder,
  'POST /v1/test/order/{serviceOrderId}/advance': anOrder,
  'GET /v1/print/job/{printJobId}': aPrintJob,
  'POST /v1/print/job/{printJobId}/cancel': aPrintJob,
  'GET /v1/test/print/job/{printJobId}/tickets': aPrintedJob,
  'GET /v1/test/print/job/{printJobId}/ticket/{ticketId}': aPrintedJob,
  'GET /v1/sku/{umsId}': anItem,
  'POST /v1/sku/{umsId}/silence': anItem,
  'POST /v1/sku/{umsId}/restore': anItem,
  'PUT /v1/sku/{umsId}/stock': anItem,
  'GET /v1/webhook/{webhookId}': anEndpoint,
  'PATCH /v1/webhook/{webhookId}': anEndpoint,
  'DELETE /v1/webhook/{webhookId}': anEndpoint,
  'POST /v1/webhook/{webhookId}/rotate-secret': anEndpoint,
  'POST /v1/webhook/{webhookId}/test': anEndpoint,
  'POST /v1/webhook/{webhookId}/recover': anEndpoint,
  'GET /v1/webhook/{webhookId}/deliveries': aDelivery,
  'GET /v1/webhook/delivery/{deliveryId}': aDelivery,
  'POST /v1/webhook/delivery/{deliveryId}/redeliver': aDelivery,
  'GET /v1/webhook/{webhookId}/stream': aListener,
  'POST /v1/webhook/{webhookId}/result': aSentDelivery,
  'GET /v1/event/{eventId}': aDelivery,
}
