// The relay accepts every call that the dashboard's workbench shows: each is made as shown.
import { afterAll, expect, test } from 'vitest'
import { NAV_PAGES } from '#cloud/web/nav.ts'
import { WholeRelay } from '#test/contract/whole-relay.ts'
import { type ApiCall, apiCalls } from './api-calls.ts'
import type { Subject } from './subject.ts'

const merchantId = 'M-TEST-001'
const relay = await WholeRelay.start()
afterAll(() => relay.stop())

async function call({ method, path, body }: Pick<ApiCall, 'method' | 'path' | 'body'>) {
  const answer = await relay.call({ method, path, ...(body !== undefined && { body: JSON.stringify(body) }) })
  return { said: `${method} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`, ...answer }
}

/** Asks until there is one; vitest's own timeout is the limit. */
async function first(path: string): Promise<Record<string, string>> {
  for (;;) {
    const { text } = await call({ method: 'GET', path })
    const [one] = (JSON.parse(text) as { data: Record<string, string>[] }).data
    if (one !== undefined) return one
  }
}

/** One of each that has a page: an endpoint, an order, its event, the delivery. */
async function things(): Promise<Subject[]> {
  const url = 'http://127.0.0.1:9/hook'
  const hook = JSON.parse((await call({ method: 'POST', path: '/v1/webhooks', body: { merchantId, url } })).text)
  const items = [{ umsId: 'UMS-BURGER-01', qty: 1, price: 12.5 }]
  const order = { merchantId, orderId: 'workbench-1', source: 'test', items, total: 12.5 }
  const { serviceOrderId } = JSON.parse((await call({ method: 'POST', path: '/v1/order/inject', body: order })).text)
  const event = await first(`/v1/events?merchantId=${merchantId}&subjectId=${serviceOrderId}`)
  const delivery = await first(`/v1/webhook/${hook.webhookId}/deliveries?merchantId=${merchantId}`)
  return [
    { kind: 'order', id: serviceOrderId },
    { kind: 'event', id: event['id'] ?? '' },
    { kind: 'delivery', id: delivery['deliveryId'] ?? '' },
    { kind: 'endpoint', id: hook.webhookId },
    { kind: 'request', id: 'req_1' },
  ]
}

test('every call of every page is accepted by the relay unchanged', async () => {
  const pages = NAV_PAGES.map(({ key }): Subject => ({ kind: 'page', page: key }))
  const shown = [...(await things()), ...pages].flatMap((one) => apiCalls(one, { merchantId, environment: 'sandbox' }))
  const calls = [...new Map(shown.map((one) => [one.key, one])).values()]
  expect(calls.length).toBeGreaterThan(15)
  const refused: string[] = []
  for (const one of calls) {
    const { status, said } = await call(one)
    if (status >= 300) refused.push(said)
  }
  expect(refused).toEqual([])
})
