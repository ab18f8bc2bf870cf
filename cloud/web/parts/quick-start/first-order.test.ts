// The order of the first steps, and the lines that send it: a shell and a JavaScript engine make of them a body that the API takes.
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { injectOrder } from '#shared/wire/api/orders.ts'
import { firstOrder, orderAsCurl, orderAsJavaScript } from './first-order.ts'

const item = (umsId: string, price: number | null, orderable = true) => ({
  umsId,
  kind: 'item' as const,
  price,
  orderable,
})
const MENU = [
  { ...item('extra-cheese', 1), kind: 'modifier' as const },
  item('silenced', 5, false),
  item('unpriced', null),
  item('soup', 0.1),
  item('steak', 20.2),
  item('tart', 4),
]
const order = () => {
  const made = firstOrder('M-TEST-001', 'first-1', MENU)
  if (made === null) throw new Error('nothing could be ordered')
  return made
}
const sent = (apiKey: string | null = 'sk_sandbox_abc') => ({ origin: 'https://relay.example', apiKey, order: order() })

/** The arguments that a shell hands to curl. */
function curled(command: string, env: Record<string, string> = {}): string[] {
  const script = `curl() { for arg in "$@"; do printf '%s\\0' "$arg"; done; }\n${command}`
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', env }).split('\0').slice(0, -1)
}

describe('the first order', () => {
  it('has two things that can be ordered, and their exact total', () => {
    expect(order().items).toEqual([
      { umsId: 'soup', qty: 2, price: 0.1, note: 'cut in half' },
      { umsId: 'steak', qty: 1, price: 20.2 },
    ])
    expect(order().total).toBe(20.4)
    expect(injectOrder.safeParse(order()).success).toBe(true)
  })

  it('is none where nothing can be ordered', () => {
    expect(firstOrder('M-TEST-001', 'first-1', MENU.slice(0, 3))).toBeNull()
  })
})

describe('its line for a shell', () => {
  it('sends a body that the API takes, under a new id at each run', () => {
    const [, url, , bearer, , type, , body = ''] = curled(orderAsCurl(sent()))
    expect([url, bearer, type]).toEqual([
      'https://relay.example/v1/order/inject',
      'Authorization: Bearer sk_sandbox_abc',
      'Content-Type: application/json',
    ])
    const parsed = injectOrder.parse(JSON.parse(body))
    expect(parsed.orderId).toMatch(/^first-\d+-\d*$/)
    expect({ ...parsed, orderId: '' }).toEqual({ ...order(), orderId: '', print: true })
  })

  it('takes the key from the environment where the page does not know it', () => {
    expect(curled(orderAsCurl(sent(null)), { TICKETRAIL_API_KEY: 'sk_sandbox_mine' })).toContain(
      'Authorization: Bearer sk_sandbox_mine',
    )
  })
})

it('its JavaScript sends the same', async () => {
  const calls: { url: string; init: RequestInit }[] = []
  const fetchDouble = async (url: string, init: RequestInit) => {
    calls.push({ url, init })
    return { status: 200, json: async () => ({}) }
  }
  const run = new Function('fetch', 'console', `return (async () => {${orderAsJavaScript(sent())}})()`)
  await run(fetchDouble, { log: () => undefined })
  const [{ url, init } = { url: '', init: {} }] = calls
  expect([url, new Headers(init.headers).get('authorization')]).toEqual([
    'https://relay.example/v1/order/inject',
    'Bearer sk_sandbox_abc',
  ])
  const parsed = injectOrder.parse(JSON.parse(String(init.body)))
  expect({ ...parsed, orderId: '' }).toEqual({ ...order(), orderId: '', print: true })
})
