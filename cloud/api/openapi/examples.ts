// One request per operation, by `METHOD path`, as the reference shows it. The tests send each of them.

export interface ExampleRequest {
  /** Values of the path's parameters. */
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: unknown
}

export interface ExampleAnswer {
  status: number
  body: unknown
}

const ORDER = 'ord_01kaj2vq8ze3s9vd2m4xw7rbtn'
const JOB = 'pj_01kaj2vq8ze3s9vd2m4xw7rbtp'
const ENDPOINT = 'we_01kaj2t0m5f9y8kq3z6c1hjdwe'
const LISTENER = 'we_01kaj2t0m5f9y8kq3z6c1hjdwf'
const DELIVERY = 'dlv_01kaj2vq9be3s9vd2m4xw7rbtq'
const EVENT = 'evt_01kaj2vq92e3s9vd2m4xw7rbtr'
const TICKET = `${JOB}-1`
const merchantId = 'M-TEST-001'
const query = { merchantId }

export const EXAMPLES: Readonly<Record<string, ExampleRequest>> = {
  'POST /v1/order/inject': {
    body: {
      merchantId,
      orderId: 'kiosk-4711',
      source: 'kiosk-7',
      items: [
        {
          ...{ umsId: 'UMS-BURGER-01', qty: 2, price: 12.5, note: 'no pickles' },
          modifiers: [{ umsId: 'UMS-MOD-CHEESE', verb: 'add' }],
          ...{ seat: 1, course: 1 },
        },
        { umsId: 'UMS-BRULEE-01', qty: 1, price: 7.95, seat: 2, course: 2, allergens: ['nuts'] },
      ],
      total: 32.95,
      tip: 4,
      customer: { name: 'Ana', phone: '+1 555 0100' },
      ...{ orderType: 'dine-in', table: '12', guests: 2, server: 'Kim' },
    },
  },
  'POST /v1/order/check': {
    body: {
      merchantId,
      orderId: 'call:CA3f9:1',
      source: 'voice:example',
      items: [
        { umsId: 'UMS-BURGER-01', qty: 2, price: 13.5, modifiers: ['UMS-MOD-CHEESE'] },
        { umsId: 'UMS-BRULEE-01', qty: 1, price: 7.95 },
      ],
      ...{ total: 34.95, customer: { name: 'Ana', phone: '+1 555 0100' }, orderType: 'takeaway' },
    },
  },
  'GET /v1/order/{serviceOrderId}': { params: { serviceOrderId: ORDER }, query },
  'GET /v1/orders': { query: { merchantId, status: 'accepted', limit: '10' } },
  'POST /v1/order/{serviceOrderId}/void': {
    params: { serviceOrderId: ORDER },
    body: { merchantId, reason: 'the guest left' },
  },
  'POST /v1/order/{serviceOrderId}/fire': { params: { serviceOrderId: ORDER }, body: { merchantId, course: 2 } },
  'POST /v1/order/{serviceOrderId}/refund': {
    params: { serviceOrderId: ORDER },
    body: { merchantId, amount: 7.95, reason: 'dessert was missing' },
  },
  'POST /v1/test/order/{serviceOrderId}/advance': {
    params: { serviceOrderId: ORDER },
    body: { merchantId, to: 'completed' },
  },
  'POST /v1/print/job': {
    body: { merchantId, type: 'kitchen', title: 'Note', text: 'Table 12 has a nut allergy', station: 'grill' },
  },
  'GET /v1/print/job/{printJobId}': { params: { printJobId: JOB }, query },
  'POST /v1/print/job/{printJobId}/cancel': { params: { printJobId: JOB }, body: { merchantId } },
  'GET /v1/printers': { query },
  'GET /v1/gateways': { query },
  'POST /v1/gateway/claim-code': { body: { merchantId, name: 'Box on my desk' } },
  'POST /v1/test/gateway/claim-code': { body: { merchantId, name: 'Box on my desk' } },
  'GET /v1/skus': { query: { merchantId, q: 'burger' } },
  'GET /v1/sku/{umsId}': { params: { umsId: 'UMS-BURGER-01' }, query },
  'POST /v1/sku/{umsId}/silence': {
    params: { umsId: 'UMS-BURGER-01' },
    body: { merchantId, reason: 'the grill is down' },
  },
  'POST /v1/sku/{umsId}/restore': { params: { umsId: 'UMS-BURGER-01' }, body: { merchantId } },
  'PUT /v1/sku/{umsId}/stock': {
    params: { umsId: 'UMS-BURGER-01' },
    body: { merchantId, quantity: 40, lowThreshold: 5 },
  },
  'GET /v1/channels': { query },
  'POST /v1/webhooks': {
    body: {
      merchantId,
      url: 'https://kiosk.example.com/hooks/ticketrail',
      events: ['order.accepted', 'order.printed'],
      description: 'kiosk 7',
    },
  },
  'GET /v1/webhooks': { query },
  'GET /v1/webhook/{webhookId}': { params: { webhookId: ENDPOINT }, query },
  'PATCH /v1/webhook/{webhookId}': { params: { webhookId: ENDPOINT }, body: { merchantId, events: ['*'] } },
  'DELETE /v1/webhook/{webhookId}': { params: { webhookId: ENDPOINT }, query },
  'POST /v1/webhook/{webhookId}/rotate-secret': {
    params: { webhookId: ENDPOINT },
    body: { merchantId, expireOldInHours: 24 },
  },
  'POST /v1/webhook/{webhookId}/test': {
    params: { webhookId: ENDPOINT },
    body: { merchantId, type: 'order.ready' },
  },
  'POST /v1/webhook/listener': { body: { merchantId, label: 'laptop of Ada' } },
  'GET /v1/webhook/{webhookId}/stream': { params: { webhookId: LISTENER } },
  'POST /v1/webhook/{webhookId}/result': {
    params: { webhookId: LISTENER },
    body: { deliveryId: DELIVERY, number: 1, status: 204, ms: 12 },
  },
  'POST /v1/webhook/{webhookId}/recover': {
    params: { webhookId: ENDPOINT },
    body: { merchantId, since: '2026-11-20T06:00:00Z' },
  },
  'GET /v1/webhook/{webhookId}/deliveries': {
    params: { webhookId: ENDPOINT },
    query: { merchantId, state: 'failed' },
  },
  'GET /v1/webhook/delivery/{deliveryId}': { params: { deliveryId: DELIVERY }, query },
  'POST /v1/webhook/delivery/{deliveryId}/redeliver': { params: { deliveryId: DELIVERY }, body: { merchantId } },
  'GET /v1/events': { query: { merchantId, type: 'order.printed', after: 'start', limit: '10' } },
  'GET /v1/event/{eventId}': { params: { eventId: EVENT }, query },
  'GET /v1/merchants': { query: { limit: '10' } },
  'POST /v1/keys/revoke': { body: {} },
  'GET /v1/key': {},
  'GET /v1/requests': { query: { keys: 'all', path: '/v1/order', limit: '2' } },
  'GET /v1/usage': { query: { month: '2026-11' } },
  'GET /v1/test/print/job/{printJobId}/tickets': { params: { printJobId: JOB }, query },
  'GET /v1/test/print/job/{printJobId}/ticket/{ticketId}': {
    params: { printJobId: JOB, ticketId: TICKET },
    query: { merchantId, format: 'text' },
  },
}
