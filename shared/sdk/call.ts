// One call of the API with all of its attempts. Each attempt sends the same bytes and the same Idempotency-Key.
import { systemTimers } from '#shared/clock.ts'
import { VERSION } from '#shared/version.ts'
import type { CallOptions } from './answer.ts'
import { ConnectionError, errorClassOf, type TicketrailError } from './error.ts'
import { ATTEMPT_TIMEOUT_MS, CALL_TIMEOUT_MS, isWorthRetrying, pauseMs } from './retry.ts'

/** Options that apply to all calls of a client. */
export interface ConnectionOptions {
  /** `sk_sandbox_...` or `sk_live_...`. Keep it on your server. */
  apiKey: string
  /** URL of the relay, such as `https://relay.example`. */
  baseUrl: string
  /** Limit for each call with all its attempts, in milliseconds. Default: 60,000. */
  timeoutMs?: number
  /** Replaces the global `fetch`, for a proxy or in tests. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Clock and timers, for tests. `after` calls `call` once and returns a function that cancels it. */
  clock?: { monotonicMs(): number; after(ms: number, call: () => void): () => void }
  /** Random numbers, uniform in [0, 1), for tests. */
  random?: () => number
}

/** One request, without the address of the relay. */
export interface Request {
  method: string
  /** Path with query. */
  path: string
  body?: object
}

/** @throws TicketrailError after the last attempt; the signal's reason if the signal aborts */
export async function call(to: ConnectionOptions, request: Request, options: CallOptions = {}): Promise<unknown> {
  const { clock = systemTimers, random = Math.random, fetch = globalThis.fetch } = to
  const { signal, timeoutMs = to.timeoutMs ?? CALL_TIMEOUT_MS } = options
  const end = clock.monotonicMs() + timeoutMs
  const init = requestInit(to, request, options)
  for (let attempts = 1; ; attempts++) {
    signal?.throwIfAborted()
    const ms = Math.min(ATTEMPT_TIMEOUT_MS, end - clock.monotonicMs())
    const late = new AbortController()
    const cancel = clock.after(ms, () => late.abort())
    let outcome: Outcome
    try {
      init.signal = AbortSignal.any([late.signal, signal ?? late.signal])
      const response = await fetch(to.baseUrl + request.path, init)
      outcome = outcomeOf(response, new Uint8Array(await response.arrayBuffer()))
    } catch (cause) {
      signal?.throwIfAborted()
      const [code, why] = late.signal.aborted
        ? ['client.timeout', ' in time']
        : ['client.connection', `: ${reasonOf(cause)}`]
      outcome = { error: new ConnectionError({ code, message: `No answer from ${to.baseUrl}${why}` }, { cause }) }
    } finally {
      cancel()
    }
    const { answer, error, isFinal } = outcome
    if (error === undefined) return answer
    // An earlier attempt deleted it, and its response was lost.
    if (attempts > 1 && request.method === 'DELETE' && error.code === 'webhook.not_found') {
      return withFacts({}, { requestId: error.requestId, replayed: true })
    }
    const pause = pauseMs(attempts, error.retryAfter, random)
    if (isFinal || clock.monotonicMs() + pause >= end) throw error
    await sleep(clock, pause, signal)
  }
}

type Clock = NonNullable<ConnectionOptions['clock']>

/** Resolves after `ms` milliseconds, or when the signal aborts. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const cancel = clock.after(ms, done)
    signal?.addEventListener('abort', done)
    function done() {
      cancel()
      signal?.removeEventListener('abort', done)
      resolve()
    }
  })
}

function requestInit(to: ConnectionOptions, { method, path, body }: Request, options: CallOptions): RequestInit {
  return {
    method,
    headers: {
      Authorization: `Bearer ${to.apiKey}`,
      'User-Agent': `ticketrail-sdk/${VERSION}`,
      // `orders.inject` needs no key: the relay recognizes a repeated orderId.
      ...(method === 'POST' &&
        !path.endsWith('/inject') && { 'Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID() }),
      ...(body && { 'Content-Type': 'application/json' }),
      ...options.headers,
    },
    body: JSON.stringify(body),
    // A followed redirect would lose the API key, or turn a POST into a GET.
    redirect: 'manual',
  }
}

interface Outcome {
  answer?: unknown
  /** Undefined if the attempt succeeded. */
  error?: TicketrailError
  /** True if another attempt would fail in the same way. */
  isFinal?: boolean
}

/** `fetch` only says that it failed; its cause says why, such as ECONNREFUSED. If the host has several addresses, only its code does. */
function reasonOf(error: unknown): string {
  const { message, code } = ((error as Error).cause ?? error) as Error & { code: string }
  return message || code
}

/** What an answer with these bytes says. @throws SyntaxError when it calls itself JSON and is none */
export function outcomeOf({ ok, status, headers }: Response, bytes: Uint8Array): Outcome {
  const header = (name: string) => headers.get(name) ?? ''
  const contentType = header('content-type')
  const text = new TextDecoder().decode(bytes)
  const requestId = header('x-request-id')
  const body = contentType.includes('json') ? JSON.parse(text) : status === 204 ? {} : { contentType, bytes, text }
  const stored = body.code === 'printer.offline' && (body.order ?? body.printJob ?? body.fired)
  // A proxy may set this header too: the relay's begins with req_.
  if (stored || (ok && requestId.includes('req_'))) {
    return {
      answer: withFacts(stored || body, {
        requestId,
        replayed: !!header('idempotent-replayed'),
        // If the 503 was lost and this attempt repeated the request, the body has `printPending` instead.
        printPending: !!(stored || body.printPending),
      }),
    }
  }
  const fields = body.code
    ? body
    : { code: 'client.answer', message: `HTTP ${status}, not from a relay: check baseUrl`, requestId }
  const error = new (errorClassOf(status))({
    ...fields,
    status,
    // It may also be a date, or absent.
    retryAfter: Number(header('retry-after')) || undefined,
  })
  return { error, isFinal: !isWorthRetrying(error, header('should-retry')) }
}

function withFacts(body: object, facts: { requestId: string; replayed: boolean; printPending?: boolean }): object {
  for (const [name, value] of Object.entries(facts)) Object.defineProperty(body, name, { value })
  return body
}
