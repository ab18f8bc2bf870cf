// One POST to a receiver that may be slow, broken or hostile: bounded in time and memory, and its outcome is data.
import { Agent, errors, request } from 'undici'
import { parseRetryAfter } from '#cloud/outbox/retry-schedule.ts'
import type { Clock } from '#shared/clock.ts'
import { codeOf } from '#shared/code-of.ts'
import { boundedAnswers } from './bounded-answer.ts'
import type { ChosenBy, TargetGuard } from './target-guard.ts'

/** What is kept of an answer and shown to its owner: enough for the message of an error, too little to read pages with. Reading stops there. */
const RESPONSE_BYTES = 1_024
/** No more of an answer is read, head and body together: Node's own limit of a head, and hundreds of headers or a body of short lines. */
const ANSWER = { bytes: 16_384, lines: 1_024 }
/** undici's own limit of a head makes an error for each header beyond it and reads on: it lies where no answer comes. */
const UNREACHED_BYTES = 4 * ANSWER.bytes
/**
 * An idle connection is closed after this. A receiver that closes it at the very moment of our request costs a failed attempt, so it is
 * shorter than the idle time-outs of servers (Node and Apache 5 s, gunicorn 2 s); under load it never runs out.
 */
const KEEP_ALIVE_MS = 1_500

export interface Post {
  url: string
  environment: 'sandbox' | 'live'
  /** Who chose the URL; default: the clients of the guard. */
  chosenBy?: ChosenBy
  headers: Record<string, string>
  body: string
}

export interface PostOutcome {
  /** Null when no answer came. */
  status: number | null
  /** Null only for a 2xx answer that came whole (or to its first KiB). */
  error: PostError | null
  /** Beginning of the answer's body, whatever it holds: text from outside. */
  response: string | null
  retryAfterMs: number | null
  durationMs: number
}

export type PostError =
  | 'http_status'
  | 'redirect'
  | 'timeout'
  | 'dns'
  | 'refused'
  | 'unreachable'
  | 'reset'
  | 'tls'
  | 'blocked_address'
  | 'invalid_response'
  | 'connection'
  /** We ended it ourselves because the program stops: no attempt of the receiver's. */
  | 'stopped'

export interface WebhookPosterDeps {
  guard: TargetGuard
  clock: Clock
  /** For everything together: name resolution, connection, request and answer. */
  timeoutMs: number
}

export class WebhookPoster {
  readonly #deps: WebhookPosterDeps
  /** With open connections, until they are closed. */
  #agents = new Map<string, Agent>()

  constructor(deps: WebhookPosterDeps) {
    this.#deps = deps
  }

  /** Never rejects. @param stopped ends the request with the error `stopped`. */
  async post(post: Post, stopped: AbortSignal): Promise<PostOutcome> {
    const { clock, timeoutMs } = this.#deps
    const startedMs = clock.monotonicMs()
    const overtime = new AbortController()
    const cancel = clock.after(timeoutMs, () => overtime.abort())
    const outcome: PostOutcome = { status: null, error: null, response: null, retryAfterMs: null, durationMs: 0 }
    const signal = AbortSignal.any([overtime.signal, stopped])
    const exchange = this.#exchange(post, signal, outcome)
    // undici handles an abort only once it is connected: a receiver that delays the handshake would hold us beyond our time.
    exchange.catch(() => {})
    try {
      await Promise.race([exchange, aborted(signal)])
    } catch (error) {
      outcome.error = stopped.aborted ? 'stopped' : overtime.signal.aborted ? 'timeout' : errorClass(error)
    } finally {
      cancel()
    }
    // A copy: what is left of the exchange may still write into the other.
    return { ...outcome, durationMs: Math.round(clock.monotonicMs() - startedMs) }
  }

  /** Closes all connections. A later post opens new ones. */
  async close(): Promise<void> {
    const agents = [...this.#agents.values()]
    this.#agents.clear()
    await Promise.all(agents.map((agent) => agent.destroy()))
  }

  /** Fills `outcome` as the answer comes in, so that a broken one leaves what was seen of it. */
  async #exchange(post: Post, signal: AbortSignal, outcome: PostOutcome): Promise<void> {
    // undici's request, never fetch: fetch follows redirects, which lead wherever the receiver likes.
    const answer = await request(post.url, {
      method: 'POST',
      headers: post.headers,
      body: post.body,
      dispatcher: this.#agentFor(post),
      signal,
    })
    const { statusCode, headers, body } = answer
    outcome.status = statusCode
    const retryAfter = headers['retry-after']
    if (typeof retryAfter === 'string') outcome.retryAfterMs = parseRetryAfter(retryAfter, this.#deps.clock.now())
    // Leaving the loop early destroys the body, which emits an error that needs no handling.
    body.on('error', () => {})
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of body) {
      chunks.push(chunk)
      bytes += chunk.length
      outcome.response = Buffer.concat(chunks)
        .subarray(0, RESPONSE_BYTES)
        .toString('utf8')
        .replaceAll('\u0000', '\ufffd')
      if (bytes >= RESPONSE_BYTES) break
    }
    if (statusCode >= 300 && statusCode < 400) outcome.error = 'redirect'
    else if (statusCode < 200 || statusCode >= 300) outcome.error = 'http_status'
  }

  /** No connection is used again under another guard. */
  #agentFor({ environment, chosenBy = 'operator' }: Post): Agent {
    const kind = `${environment} ${chosenBy}`
    const known = this.#agents.get(kind)
    if (known !== undefined) return known
    const { guard, timeoutMs } = this.#deps
    const agent = agentFor({ guard: guard.for(chosenBy), timeoutMs }, environment)
    this.#agents.set(kind, agent)
    return agent
  }
}

/** Rejects when the signal fires. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function agentFor(
  { guard, timeoutMs }: Pick<WebhookPosterDeps, 'guard' | 'timeoutMs'>,
  environment: Post['environment'],
): Agent {
  return new Agent({
    connect: boundedAnswers(guard.connector(environment, timeoutMs), ANSWER),
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A receiver's `Keep-Alive: timeout=...` does not lengthen it.
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: UNREACHED_BYTES,
    // Our own clock ends everything.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

const CLASS_OF_CODE: Readonly<Record<string, PostError>> = {
  BLOCKED_ADDRESS: 'blocked_address',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ENODATA: 'dns',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  ANSWER_TOO_LONG: 'invalid_response',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'invalid_response',
}

/** A word for the client's log: never the error's own text, which may name our network. */
function errorClass(error: unknown): PostError {
  if (error instanceof errors.HTTPParserError) return 'invalid_response'
  const code = codeOf(error)
  const known = CLASS_OF_CODE[code]
  if (known) return known
  if (code.startsWith('EAI_')) return 'dns'
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO)/.test(code)) return 'tls'
  return 'connection'
}
