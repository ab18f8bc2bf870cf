// One request to a telephone company's API: limited in time and size, without redirects, and every failure as a class.

import { buildConnector, Client } from 'undici'
import type { z } from 'zod'
import type { Clock } from '#shared/clock.ts'
import { codeOf } from '#shared/code-of.ts'
import { aborted, timeLimit } from '#shared/time-limit.ts'
import { TelephonyError } from './telephony.ts'

const TIMEOUT_MS = 15_000
/** An answer that is JSON. */
const ANSWER_BYTES = 262_144

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below the API's address, with its query. */
  path: string
  body?: { type: 'application/x-www-form-urlencoded' | 'application/json'; text: string }
  signal: AbortSignal
  /** Bytes that the answer may have. */
  most?: number
  /** Asked when the connection is there and nothing is written; false ends it, and `send` returns null. */
  begin?: () => Promise<boolean>
}

export interface ApiAnswer {
  status: number
  type: string
  bytes: Buffer
}

export interface ProviderApiDeps {
  /** `https://api.example.com`, perhaps with a path; the operator's own choice. */
  url: string
  /** Null: the request says nothing of who asks. */
  authorization: string | null
  clock: Clock
}

export class ProviderApi {
  readonly #deps: ProviderApiDeps

  constructor(deps: ProviderApiDeps) {
    this.#deps = deps
  }

  /**
   * @returns the answer, whatever its status below 300 or above 399; null: `begin` said no
   * @throws TelephonyError. Uncertain: the request was written, or it may have been, and no whole answer came
   */
  async send(request: ApiRequest): Promise<ApiAnswer | null> {
    const limit = timeLimit(this.#deps.clock, TIMEOUT_MS, request.signal)
    const course: Course = { isWritten: false, isRefused: false }
    const exchange = this.#exchange(request, limit.signal, course)
    // An abort is handled once the connection is there: one that never comes must not be waited for.
    exchange.catch(() => undefined)
    try {
      return await Promise.race([exchange, aborted(limit.signal)])
    } catch (error) {
      if (course.isRefused) return null
      if (error instanceof TelephonyError) throw error
      const changes = request.method !== 'GET'
      const reason = request.signal.aborted ? 'stopped' : limit.isOver() ? 'timeout' : reasonOf(error)
      throw new TelephonyError(reason, { isTransient: true, isUncertain: changes && course.isWritten })
    } finally {
      limit.end()
    }
  }

  async #exchange(request: ApiRequest, signal: AbortSignal, course: Course): Promise<ApiAnswer> {
    const { url, authorization } = this.#deps
    const base = new URL(url)
    // A connection for each: they are rare, and `begin` is asked between connecting and writing.
    const client = new Client(base.origin, {
      connect: connectorOf(request, course, signal),
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    try {
      const { statusCode, headers, body } = await client.request({
        method: request.method,
        path: base.pathname.replace(/\/$/, '') + request.path,
        headers: {
          ...(authorization !== null && { authorization }),
          accept: 'application/json, audio/*',
          ...(request.body && { 'content-type': request.body.type }),
        },
        body: request.body?.text ?? null,
        signal,
      })
      body.on('error', () => undefined)
      // Wherever it leads: the credentials are for the configured host alone.
      if (statusCode >= 300 && statusCode < 400) throw new TelephonyError('redirect')
      const bytes = await bounded(body, request.most ?? ANSWER_BYTES)
      if (bytes === null) throw new TelephonyError('too_long', { isUncertain: request.method !== 'GET' })
      return { status: statusCode, type: String(headers['content-type'] ?? ''), bytes }
    } finally {
      void client.destroy().catch(() => undefined)
    }
  }
}

/** How far a request came. */
interface Course {
  isWritten: boolean
  /** `begin` said no. */
  isRefused: boolean
}

function connectorOf({ begin }: ApiRequest, course: Course, signal: AbortSignal): buildConnector.connector {
  const connect = buildConnector({ timeout: TIMEOUT_MS })
  const mayBegin = async (): Promise<boolean> => !signal.aborted && (begin === undefined || (await begin()))
  return (options, callback) => {
    connect(options, (error, socket) => {
      if (error !== null) return callback(error, null)
      mayBegin().then(
        (may) => {
          course.isRefused = !may
          course.isWritten = may
          if (may) return callback(null, socket)
          socket.destroy()
          return callback(new Error('not begun'), null)
        },
        (failed: unknown) => {
          socket.destroy()
          callback(failed instanceof Error ? failed : new Error('not begun'), null)
        },
      )
    })
  }
}

/** Null: it is longer. */
async function bounded(body: AsyncIterable<Buffer>, most: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > most) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * The answer's JSON, checked.
 * @param isDone the request has changed something: an answer that cannot be read says nothing of it
 * @throws TelephonyError
 */
export function parsed<T extends z.ZodType>(schema: T, { bytes }: ApiAnswer, { isDone = false } = {}): z.output<T> {
  const result = schema.safeParse(jsonOf(bytes))
  if (!result.success) throw new TelephonyError('bad_answer', { isUncertain: isDone, isTransient: isDone })
  return result.data
}

/** Undefined: it is none. */
export function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** What a status says when the provider's own code says nothing more. A server's error may come after the work was done, but for 503. */
export function failureOf(status: number): TelephonyError {
  if (status === 401 || status === 403) return new TelephonyError('not_authorized')
  if (status === 404) return new TelephonyError('not_found')
  if (status === 429) return new TelephonyError('too_many', { isTransient: true })
  if (status >= 500) return new TelephonyError('provider_error', { isTransient: true, isUncertain: status !== 503 })
  return new TelephonyError('refused')
}

/** Never the error's own text. */
function reasonOf(error: unknown): string {
  const code = codeOf(error)
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) return 'dns'
  if (code === 'ECONNREFUSED') return 'connection_refused'
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO)/.test(code)) return 'tls'
  return 'connection'
}
