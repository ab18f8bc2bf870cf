// What the workbench shows of the API for each thing, and how it is written. Whether the relay takes the calls: api-calls.room.test.ts.
import { expect, test } from 'vitest'
import { NAV_PAGES } from '#cloud/web/nav.ts'
import { type ApiCall, apiCalls, callAsCurl, callAsFetch } from './api-calls.ts'
import { subjectOf } from './subject.ts'

const merchantId = 'M-TEST-001'

test('a live endpoint is offered no made-up event, which the API would refuse', () => {
  const live = apiCalls({ kind: 'endpoint', id: 'we_1' }, { merchantId, environment: 'live' })
  expect(live.map(({ key }) => key)).toEqual(['endpoint', 'endpointDeliveries'])
})

test('where there is no restaurant, the call that lists restaurants is the only one', () => {
  const none = apiCalls({ kind: 'order', id: 'ord_1' }, { merchantId: null, environment: 'live' })
  expect(none.map(({ path }) => path)).toEqual(['/v1/merchants'])
})

test('a call is written for a shell and as a program, with the key left to a variable', () => {
  const call: ApiCall = { key: 'void', method: 'POST', path: '/v1/order/ord_1/void', body: { reason: "guest's" } }
  expect(callAsCurl(call, 'https://relay.example')).toBe(
    `curl -X POST 'https://relay.example/v1/order/ord_1/void' \\\n  -H "authorization: Bearer $TICKETRAIL_API_KEY" \\\n  -H 'content-type: application/json' \\\n  --data-raw '{"reason":"guest'\\''s"}'`,
  )
  expect(
    callAsFetch(call, 'https://relay.example'),
  ).toBe(`const answer = await fetch("https://relay.example/v1/order/ord_1/void", {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.TICKETRAIL_API_KEY}\`, 'content-type': 'application/json' },
  body: JSON.stringify({"reason":"guest's"}),
})
console.log(answer.status, await answer.json())`)
})

test('an address names the thing on screen, or the page', () => {
  const at = (pathname: string) => subjectOf(pathname, NAV_PAGES)
  expect(at('/orders/ord_01abc')).toEqual({ kind: 'order', id: 'ord_01abc' })
  expect(at('/deliveries/dlv_01abc')).toEqual({ kind: 'delivery', id: 'dlv_01abc' })
  expect(at('/webhooks/inspector')).toEqual({ kind: 'page', page: 'webhooks' })
  expect(at('/operator/fleet')).toEqual({ kind: 'page', page: 'fleet' })
  expect(at('/')).toEqual({ kind: 'page', page: 'home' })
  expect(at('/nowhere')).toEqual({ kind: 'page', page: null })
})
