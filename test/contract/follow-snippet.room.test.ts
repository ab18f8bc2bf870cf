// docs/snippets/follow.ts as a reader copies it, against the whole relay: it tells every event once, outlives faults, and begins anew where it must.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { GIVEN } from './given.ts'
import { WholeRelay } from './whole-relay.ts'

interface Page {
  data: { id: string; type: string; data: Record<string, unknown> }[]
  nextCursor: string
}
interface Snippet {
  followEvents(source: object, after?: string): AsyncGenerator<Page>
}

const { followEvents }: Snippet = await import(resolve('docs/snippets/follow.ts'))
const relay = await WholeRelay.start()
const source = { relay: relay.url, apiKey: relay.account.apiKey, merchantId: 'M-TEST-001', pauseMs: 1 }
afterEach(() => vi.restoreAllMocks())
afterAll(() => relay.stop())

const completed = async () => (await GIVEN['POST /v1/order/{serviceOrderId}/refund']?.(relay, ''))?.['serviceOrderId']
const isAbout = (id: string | undefined) => (event: Page['data'][number]) =>
  (event.data['order'] as { serviceOrderId: string }).serviceOrderId === id

/** Pages until one has the order's completion. */
async function followed(orderId: string | undefined, after: string): Promise<{ events: Page['data']; place: string }> {
  const events: Page['data'] = []
  for await (const { data, nextCursor } of followEvents(source, after)) {
    events.push(...data)
    if (data.filter(isAbout(orderId)).some(({ type }) => type === 'order.completed'))
      return { events, place: nextCursor }
  }
  throw new Error('it ended')
}

test('it returns each event once, and continues where it was asked to', async () => {
  const [one, two] = [await completed(), await completed()]
  const first = await followed(two, 'start')
  expect(first.events.filter(isAbout(one)).map(({ type }) => type)).toContain('order.completed')
  const three = await completed()
  const second = await followed(three, first.place)
  const ids = [...first.events, ...second.events].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('it retries after an invalid answer, and after a fault of the relay', async () => {
  const order = await completed()
  const fetched = vi.spyOn(globalThis, 'fetch')
  fetched.mockRejectedValueOnce(new TypeError('fetch failed'))
  fetched.mockResolvedValueOnce(new Response('{}', { status: 503 }))
  fetched.mockResolvedValueOnce(new Response('{}', { status: 429 }))
  expect((await followed(order, 'start')).events.filter(isAbout(order)).length).toBeGreaterThan(0)
  expect(fetched.mock.calls.length).toBeGreaterThan(3)
})

test('it starts over when the place is gone', async () => {
  const order = await completed()
  const { events } = await followed(order, 'evt_01kaj2vq92e3s9vd2m4xw7rbtr')
  expect(events.filter(isAbout(order)).map(({ type }) => type)).toContain('order.accepted')
})

test('the two calls of docs/webhooks.md by curl return the events and where to continue', async () => {
  const order = await completed()
  const calls = [...readFileSync('docs/webhooks.md', 'utf8').matchAll(/```sh\n(curl [^\n]*\/v1\/events [^\n]*)\n```/g)]
  expect(calls).toHaveLength(2)
  let next = ''
  const pages: Page[] = []
  for (const [, call = ''] of calls) {
    const given = { TICKETRAIL_URL: relay.url, TICKETRAIL_API_KEY: relay.account.apiKey, NEXT_CURSOR: next }
    const env = { ...process.env, ...given }
    const { stdout } = await promisify(execFile)('sh', ['-c', `${call} -sS`], { env })
    const page: Page = JSON.parse(stdout)
    next = page.nextCursor
    pages.push(page)
  }
  const [first, second] = pages.map(({ data }) => data.map(({ id }) => id))
  expect(pages[0]?.data.some(isAbout(order))).toBe(true)
  expect(second?.filter((id) => first?.includes(id))).toEqual([])
  expect(next).not.toBe('')
})

test('it ends with the message of a wrong call', async () => {
  await expect(followEvents({ ...source, merchantId: 'M-TEST-NONE' }).next()).rejects.toThrow('merchant.not_found')
  await expect(followEvents(source, 'x').next()).rejects.toThrow(/422.*after/)
})
