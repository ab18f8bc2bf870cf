// One POST to a receiver that may be slow, broken or hostile: limited in time and memory. Its outcome is returned, never thrown.

import { Agent, errors, request } from 'undici'
import { parseRetryAfter } from '#cloud/outbox/retry-schedule.ts'
import type { Clock } from '#shared/clock.ts'
import { codeOf } from '#shared/code-of.ts'
import { aborted, timeLimit } from '#shared/time-limit.ts'
import { boundedAnswers } from './bounded-answer.ts'
import type { ChosenBy, TargetGuard } from './target-guard.ts'

/** Stored part of a response, shown to the owner: enough for an error message, too little to read pages with. Reading stops there. */
const RESPONSE_BYTES = 1_024
/** Maximum size of a response, head and body together: Node's own limit for a head, and hundreds of headers or a body of short lines. */
const ANSWER = { bytes: 16_384, lines: 1_024 }
/** Beyond undici's own limit for a head, each header makes an error and reading continues, so it is set to a size that is never reached. */
const UNREACHED_BYTES = 4 * ANSWER.bytes
/**
 * An idle connection is closed after this time. A receiver that closes it at the moment of our request costs a failed attempt, so it is
 * shorter than the idle timeouts of servers (Node and Apache 5 s, gunicorn 2 s). Under load it never expires.
 */
const KEEP_ALIVE_MS = 1_500

export interface Post {
  url: string
  environment: 'sandbox' | 'live'
  /** Who chose the URL, for the guard. Default: a client. */
  chosenBy?: ChosenBy
  headers: Record<string, string>
  body: string
}

export interface PostOutcome {
  /** Null if there was no response. */
  status: number | null
  /** Null only for a 2xx response that arrived completely (or up to its first KiB). */
  error: PostError | null
  /** Beginning of the response body. Untrusted text. */
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
  /** We ended it ourselves because the program stops: not an attempt. */
  | 'stopped'

export interface WebhookPosterDeps {
  guard: TargetGuard
  clock: Clock
  /** For name resolution, connection, request and response together. */
  timeoutMs: number
}

export class WebhookPoster {
  readonly #deps: WebhookPosterDeps
  /** With open connections, until they are closed. */
  #agents = new Map<string, Agent>()

  constructor(deps: WebhookPosterDeps) {
    this.#deps = deps
  }

  /** Never rejects. @param stopped ends the request with the error `stopped` */
  async post(post: Post, stopped: AbortSignal): Promise<PostOutcome> {
    const { clock, timeoutMs } = this.#deps
    const startedMs = clock.monotonicMs()
    const limit = timeLimit(clock, timeoutMs, stopped)
    const outcome: PostOutcome = { status: null, error: null, response: null, retryAfterMs: null, durationMs: 0 }
    const exchange = this.#exchange(post, limit.signal, outcome)
    // undici handles an abort only once it is connected: a receiver that delays the handshake would exceed our time.
    exchange.catch(() => {})
    try {
      await Promise.race([exchange, aborted(limit.signal)])
    } catch (error) {
      outcome.error = stopped.aborted ? 'stopped' : limit.isOver() ? 'timeout' : errorClass(error)
    } finally {
      limit.end()
    }
    // A copy, since the rest of the exchange may still write to the original.
    return { ...outcome, durationMs: Math.round(clock.monotonicMs() - startedMs) }
  }

  /** Closes all connections. A later post opens new ones. */
  async close(): Promise<void> {
    const agents = [...this.#agents.values()]
    this.#agents.clear()
    await Promise.all(agents.map((agent) => agent.destroy()))
  }

  /** Fills `outcome` while the response arrives, so that a broken one leaves what was received. */
  async #exchange(post: Post, signal: AbortSignal, outcome: PostOutcome): Promise<void> {
    // Not fetch, which follows redirects to wherever the receiver wants.
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
    // Leaving the loop early destroys the body, which emits an error that can be ignored.
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

  /** A connection is never reused under another guard. */
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

function agentFor(
  { guard, timeoutMs }: Pick<WebhookPosterDeps, 'guard' | 'timeoutMs'>,
  environment: Post['environment'],
): Agent {
  return new Agent({
    connect: boundedAnswers(guard.connector(environment, timeoutMs), ANSWER),
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A receiver's `Keep-Alive: timeout=...` does not extend it.
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: UNREACHED_BYTES,
    // Our own timer limits everything.
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

/** A code for the client's log, never the error's own text, which may reveal our network. */
function errorClass(error: unknown): PostError {
  if (error instanceof errors.HTTPParserError) return 'invalid_response'
  const code = codeOf(error)
  const known = CLASS_OF_CODE[code]
  if (known) return known
  if (code.startsWith('EAI_')) return 'dns'
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO)/.test(code)) return 'tls'
  return 'connection'
}
