// The methods of the client and the operations of /v1 that they call. `npm run sdk:types` generates the types of the methods from it.

/**
 * Resource, method, operation. `LIST` is a GET that returns a list. `account` at the end: the operation belongs to the account, so the
 * client's merchantId is not sent. Every operation of the OpenAPI document is in the table once, except streams.
 */
export const OPERATIONS = {
  orders: {
    inject: 'POST /v1/order/inject',
    check: 'POST /v1/order/check',
    get: 'GET /v1/order/{serviceOrderId}',
    list: 'LIST /v1/orders',
    void: 'POST /v1/order/{serviceOrderId}/void',
    refund: 'POST /v1/order/{serviceOrderId}/refund',
    fire: 'POST /v1/order/{serviceOrderId}/fire',
  },
  printJobs: {
    submit: 'POST /v1/print/job',
    get: 'GET /v1/print/job/{printJobId}',
    cancel: 'POST /v1/print/job/{printJobId}/cancel',
  },
  printers: { list: 'LIST /v1/printers' },
  gateways: { list: 'LIST /v1/gateways', claimCode: 'POST /v1/gateway/claim-code' },
  skus: {
    list: 'LIST /v1/skus',
    get: 'GET /v1/sku/{umsId}',
    silence: 'POST /v1/sku/{umsId}/silence',
    restore: 'POST /v1/sku/{umsId}/restore',
    setStock: 'PUT /v1/sku/{umsId}/stock',
  },
  channels: { list: 'LIST /v1/channels' },
  webhooks: {
    create: 'POST /v1/webhooks',
    list: 'LIST /v1/webhooks',
    get: 'GET /v1/webhook/{webhookId}',
    update: 'PATCH /v1/webhook/{webhookId}',
    delete: 'DELETE /v1/webhook/{webhookId}',
    rotateSecret: 'POST /v1/webhook/{webhookId}/rotate-secret',
    test: 'POST /v1/webhook/{webhookId}/test',
    recover: 'POST /v1/webhook/{webhookId}/recover',
  },
  listeners: { create: 'POST /v1/webhook/listener', result: 'POST /v1/webhook/{webhookId}/result account' },
  deliveries: {
    list: 'LIST /v1/webhook/{webhookId}/deliveries',
    get: 'GET /v1/webhook/delivery/{deliveryId}',
    redeliver: 'POST /v1/webhook/delivery/{deliveryId}/redeliver',
  },
  events: { list: 'LIST /v1/events', get: 'GET /v1/event/{eventId}' },
  merchants: { list: 'LIST /v1/merchants account' },
  requests: { list: 'LIST /v1/requests account' },
  usage: { get: 'GET /v1/usage account' },
  keys: { get: 'GET /v1/key account', revoke: 'POST /v1/keys/revoke account' },
  sandbox: {
    advance: 'POST /v1/test/order/{serviceOrderId}/advance',
    tickets: 'LIST /v1/test/print/job/{printJobId}/tickets',
    ticket: 'GET /v1/test/print/job/{printJobId}/ticket/{ticketId}',
    claimCode: 'POST /v1/test/gateway/claim-code',
  },
} as const satisfies Record<string, Record<string, string>>

/** `POST /v1/order/inject` in parts. A tuple, because it minifies better than an object. */
export type OperationParts = [method: string, path: string, isList: boolean, isOfAccount: boolean]

export function partsOf(operation: string): OperationParts {
  const [verb, path, account] = operation.split(' ') as [string, string, string?]
  const isList = verb === 'LIST'
  return [isList ? 'GET' : verb, path, isList, !!account]
}
