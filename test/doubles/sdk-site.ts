// The client of the API before a scripted relay, with a clock that stands still.
import type { InjectOrder } from '#shared/sdk/api.ts'
import { Ticketrail, type TicketrailOptions } from '#shared/sdk/client.ts'
import { TicketrailError } from '#shared/sdk/error.ts'
import { ManualClock } from './manual-clock.ts'

export interface Sent {
  url: string
  method: string
  headers: Record<string, string>
  body: string | undefined
  atMs: number
}

/** An answer, or no answer: `cut` breaks the connection, `hang` never ends. */
export type Scripted =
  | { status: number; body?: unknown; text?: string; headers?: Record<string, string> }
  | 'cut'
  | 'hang'

export const ORDER: InjectOrder = {
  orderId: 'o-1',
  source: 'test',
  items: [{ umsId: 'U', qty: 1, price: 5 }],
  total: 5,
}
export const ACCEPTED = { status: 'accepted', serviceOrderId: 'ord_1' }
export const ok = (body: unknown = ACCEPTED, headers = {}): Scripted => ({ status: 200, body, headers })
export const refused = (
  status: number,
  code: string,
  more: { headers?: Record<string, string>; [detail: string]: unknown } = {},
): Scripted => {
  const { headers = {}, ...details } = more
  return {
    status,
    headers,
    body: { code, status, message: `about ${code}`, requestId: 'req_9', docUrl: 'd', ...details },
  }
}

export function sdkSite(script: Scripted[], options: Partial<TicketrailOptions> = {}) {
  const clock = new ManualClock()
  const sent: Sent[] = []
  const fetch: TicketrailOptions['fetch'] = (url, { method = '', headers, body, signal }) => {
    sent.push({
      url,
      method,
      headers: headers as Record<string, string>,
      body: body as string,
      atMs: clock.monotonicMs(),
    })
    const next = script.length > 1 ? script.shift() : script[0]
    if (next === 'cut') return Promise.reject(new TypeError('fetch failed'))
    if (next === undefined || next === 'hang') {
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    }
    const { status, body: json, text, headers: own } = next
    const type = text === undefined ? 'application/json; charset=utf-8' : 'text/html'
    const all = { 'content-type': type, ...(text === undefined ? { 'x-request-id': 'req_9' } : {}), ...own }
    return Promise.resolve(
      new Response(status === 204 ? null : (text ?? JSON.stringify(json)), { status, headers: all }),
    )
  }
  const client = new Ticketrail({
    ...{ apiKey: 'sk_sandbox_1', baseUrl: 'https://relay.example/', merchantId: 'M-TEST-001' },
    ...{ fetch, clock, random: () => 0.5, ...options },
  })
  return { client, clock, sent }
}

/** What a call comes to when time goes on until it ends. */
export async function ended<T>(clock: ManualClock, call: Promise<T>): Promise<T> {
  let isOver = false
  const over = call.finally(() => {
    isOver = true
  })
  over.catch(() => undefined)
  while (!isOver) {
    // What the answer of a moment leads to happens in that moment.
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    await clock.advance(25)
  }
  return over
}

export const errorOf = async (clock: ManualClock, call: Promise<unknown>): Promise<TicketrailError> => {
  const error = await ended(clock, call).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof TicketrailError)) throw new Error(`not a TicketrailError: ${String(error)}`)
  return error
}
