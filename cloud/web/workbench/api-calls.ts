// The calls of the API that show or do what the page on screen does, and each as text for a terminal or a program. Pure.
import { curlOf } from '#cloud/web/parts/webhooks/curl.ts'
import type { Subject, ThingKind } from './subject.ts'

export interface ApiCall {
  /** Names the sentence about it. */
  key: CallKey
  method: 'GET' | 'POST'
  /** With its query. */
  path: string
  body?: Readonly<Record<string, unknown>>
}

export type CallKey =
  | 'order'
  | 'orders'
  | 'orderEvents'
  | 'void'
  | 'endpoint'
  | 'endpointDeliveries'
  | 'testEvent'
  | 'endpoints'
  | 'newEndpoint'
  | 'delivery'
  | 'redeliver'
  | 'event'
  | 'events'
  | 'gateways'
  | 'printers'
  | 'skus'
  | 'channels'
  | 'usage'
  | 'merchants'

interface Where {
  /** `M-...`; null: there is no restaurant here. */
  merchantId: string | null
  environment: 'sandbox' | 'live'
}

const MERCHANTS: ApiCall = { key: 'merchants', method: 'GET', path: '/v1/merchants' }

/** The most useful first; never empty. */
export function apiCalls(subject: Subject, { merchantId, environment }: Where): readonly ApiCall[] {
  if (merchantId === null) return [MERCHANTS]
  const at = (key: CallKey, path: string): ApiCall => {
    const query = `${path.includes('?') ? '&' : '?'}merchantId=${encodeURIComponent(merchantId)}`
    return { key, method: 'GET', path: `${path}${query}` }
  }
  const post = (key: CallKey, path: string, more: object = {}): ApiCall => ({
    ...{ key, method: 'POST', path },
    body: { merchantId, ...more },
  })
  const events = at('events', '/v1/events')
  const endpoints = [
    at('endpoints', '/v1/webhooks'),
    post('newEndpoint', '/v1/webhooks', { url: 'https://example.com/hooks', events: ['order.printed'] }),
  ]
  if (subject.kind === 'page') {
    const byPage: Partial<Record<NonNullable<typeof subject.page>, readonly ApiCall[]>> = {
      orders: [at('orders', '/v1/orders')],
      sandbox: [at('orders', '/v1/orders')],
      quickStart: [at('skus', '/v1/skus'), at('orders', '/v1/orders')],
      kitchens: [at('gateways', '/v1/gateways'), at('printers', '/v1/printers')],
      menu: [at('skus', '/v1/skus'), at('channels', '/v1/channels')],
      webhooks: endpoints,
      events: [events],
      usage: [{ key: 'usage', method: 'GET', path: '/v1/usage' }],
    }
    return (subject.page === null ? undefined : byPage[subject.page]) ?? [MERCHANTS, at('orders', '/v1/orders')]
  }
  const { id } = subject
  const ofThing: Readonly<Record<ThingKind, readonly ApiCall[]>> = {
    order: [
      at('order', `/v1/order/${id}`),
      at('orderEvents', `/v1/events?subjectId=${id}`),
      post('void', `/v1/order/${id}/void`, { reason: 'guest left' }),
    ],
    endpoint: [
      at('endpoint', `/v1/webhook/${id}`),
      at('endpointDeliveries', `/v1/webhook/${id}/deliveries`),
      // The API accepts no test events in the live environment.
      ...(environment === 'sandbox' ? [post('testEvent', `/v1/webhook/${id}/test`, { type: 'order.printed' })] : []),
    ],
    delivery: [at('delivery', `/v1/webhook/delivery/${id}`), post('redeliver', `/v1/webhook/delivery/${id}/redeliver`)],
    event: [at('event', `/v1/event/${id}`), events],
    request: [MERCHANTS, at('orders', '/v1/orders')],
  }
  return ofThing[subject.kind]
}

/** One command; the key is taken from the variable TICKETRAIL_API_KEY. */
export function callAsCurl({ method, path, body }: ApiCall, origin: string): string {
  return curlOf({
    ...{ method, url: `${origin}${path}` },
    headers: {
      authorization: 'Bearer $TICKETRAIL_API_KEY',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
}

/** A module for Node 22 and newer, Deno or Bun. */
export function callAsFetch({ method, path, body }: ApiCall, origin: string): string {
  const headers = body === undefined ? '' : ", 'content-type': 'application/json'"
  const lines = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    `  headers: { authorization: \`Bearer \${process.env.TICKETRAIL_API_KEY}\`${headers} },`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${JSON.stringify(body)}),`]),
  ]
  return [
    `const answer = await fetch(${JSON.stringify(`${origin}${path}`)}, {`,
    ...lines,
    '})',
    'console.log(answer.status, await answer.json())',
  ].join('\n')
}
