// One call of the API with all of its tries: the same bytes and the same Idempotency-Key each time.
import { systemTimers } from '#shared/clock.ts'
import { VERSION } from '#shared/version.ts'
import type { CallOptions } from './answer.ts'
import { errorClassOf, type TicketrailError } from './error.ts'
import { CALL_TIMEOUT_MS, isWorthRetrying, MAX_TRIES, pauseMs, TRY_TIMEOUT_MS } from './retry.ts'

/** What all calls of a client share. */
export interface ConnectionOptions {
  /** `sk_sandbox_...` or `sk_live_...`: keep it on your server. */
  apiKey: string
  /** The relay's address, such as `https://relay.example`. */
  baseUrl: string
  /** In place of the global `fetch`: for a proxy, or in tests. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Time and timers, for tests. `after` calls once and answers how to cancel. */
  clock?: { monotonicMs(): number; after(ms: number, call: () => void): () => void }
  /** Uniform in [0, 1), for tests. */
  random?: () => number
}

/** One operation with its values. */
export interface Request {
  method: string
  /** Path and query. */
  path: string
  body?: unknown
}

/** @throws TicketrailError after the last try; the reason of the signal */
export async function call(to: ConnectionOptions, request: Request, options: CallOptions = {}): Promise<unknown> {
  const { clock = systemTimers, random = Math.random } = to
  const { signal, timeoutMs = CALL_TIMEOUT_MS } = options
  const end = clock.monotonicMs() + timeoutMs
  const init = requestInit(to, request, options)
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted()
    const ms = Math.min(TRY_TIMEOUT_MS, end - clock.monotonicMs())
    const { answer, error, isFinal } = await oneTry(to, to.baseUrl + request.path, { ...init, clock, signal, ms })
    if (error === undefined) return answer
    // The first try had deleted it, and its answer was lost.
    if (tries > 1 && request.method === 'DELETE' && error.code === 'webhook.not_found') {
      return withFacts({}, { requestId: error.requestId, replayed: true })
    }
    const pause = pauseMs(tries, error.retryAfter, random)
    if (isFinal || tries === MAX_TRIES || clock.monotonicMs() + pause >= end) throw error
    await sleep(clock, pause, signal)
  }
}

type Clock = NonNullable<ConnectionOptions['clock']>

/** Resolves after `ms`, or when the signal aborts. */
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
      // The orderId of an inject is its key.
      ...(method === 'POST' && !path.endsWith('/inject')
        ? { 'Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID() }
        : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...options.headers,
    },
    body: JSON.stringify(body),
    // A redirect would drop the key, or make a GET of a POST.
    redirect: 'manual',
  }
}

interface Try extends Omit<RequestInit, 'signal'> {
  clock: Clock
  signal: AbortSignal | undefined
  ms: number
}

interface Outcome {
  answer?: unknown
  /** Undefined: it succeeded. */
  error?: TicketrailError
  /** Whether another try would fail in the same way. */
  isFinal?: boolean
}

async function oneTry(to: ConnectionOptions, url: string, { clock, signal, ms, ...init }: Try): Promise<Outcome> {
  const { fetch = globalThis.fetch } = to
  const late = new AbortController()
  const cancel = clock.after(ms, () => late.abort())
  try {
    const signals = signal ? [late.signal, signal] : [late.signal]
    const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) })
    return read(response, new Uint8Array(await response.arrayBuffer()))
  } catch (cause) {
    signal?.throwIfAborted()
    const told = late.signal.aborted
      ? { code: 'client.timeout', message: `No answer within ${ms} ms` }
      : { code: 'client.connection', message: `No answer: ${cause}` }
    return { error: new (errorClassOf(0))(told, { cause }) }
  } finally {
    cancel()
  }
}

function read({ ok, status, headers }: Response, bytes: Uint8Array): Outcome {
  const header = (name: string) => headers.get(name) ?? ''
  const contentType = header('content-type')
  const text = new TextDecoder().decode(bytes)
  const requestId = header('x-request-id')
  const body = contentType.includes('json') ? JSON.parse(text) : status === 204 ? {} : { contentType, bytes, text }
  const stored = body.code === 'printer.offline' && (body.order ?? body.printJob ?? body.fired)
  if (stored || (ok && requestId)) {
    return {
      answer: withFacts(stored || body, {
        requestId,
        replayed: header('idempotent-replayed') !== '',
        // The body says it when the 503 was lost and this repeats it.
        printPending: !!(stored || body.printPending),
      }),
    }
  }
  const told = body.code
    ? body
    : { code: 'client.answer', message: `HTTP ${status}, but not by the relay: look at baseUrl`, requestId }
  const wait = header('retry-after')
  const retryAfter = /^\d+$/.test(wait) ? Number(wait) : undefined
  const error = new (errorClassOf(status))({ ...told, status }, { retryAfter })
  return { error, isFinal: !isWorthRetrying(error, header('should-retry')) }
}

function withFacts(
  body: object,
  { requestId, replayed, printPending = false }: { requestId: string; replayed: boolean; printPending?: boolean },
): object {
  return Object.defineProperties(body, {
    requestId: { value: requestId },
    replayed: { value: replayed },
    printPending: { value: printPending },
  })
}
