// Posts one delivery to the developer's program, and returns the result in the terms of the relay's log.
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Clock } from '#shared/clock.ts'
import { codeOf } from '#shared/code-of.ts'
import type { AttemptResult } from './listen-journal.ts'

/** The relay stores 1 KiB. */
const RESPONSE_BYTES = 1_024
/** Longest duration that the relay accepts. */
const LONGEST_MS = 3_600_000
/** Range of HTTP; Node accepts any three digits. */
const STATUS = { least: 100, most: 599 }

/** What a webhook has. No other header is the relay's to choose at a program on this machine, such as `cookie` or `host`. */
const OF_WEBHOOKS = /^(content-type|user-agent|traceparent|webhook-[\w-]+|x-service-[\w-]+)$/i

export interface Target {
  url: string
  timeoutMs: number
  clock: Clock
  /** Aborts the request. */
  stopped: AbortSignal
}

/** Sends exactly the body and headers, once; redirects are not followed. Never throws. */
export async function postToTarget(
  { url, timeoutMs, clock, stopped }: Target,
  delivery: { headers: Readonly<Record<string, string>>; body: string },
): Promise<AttemptResult> {
  const startedMs = clock.monotonicMs()
  const ms = () => Math.min(Math.round(clock.monotonicMs() - startedMs), LONGEST_MS)
  const late = new AbortController()
  const cancel = clock.after(timeoutMs, () => late.abort())
  try {
    const answer = await answerOf(url, delivery, AbortSignal.any([late.signal, stopped]))
    const { statusCode: status = 0 } = answer
    const response = await beginningOf(answer)
    const said = response === '' ? {} : { response }
    if (status < STATUS.least || status > STATUS.most) return { error: 'invalid_response', ms: ms(), ...said }
    return { status, ms: ms(), ...said }
  } catch (error) {
    return { error: late.signal.aborted ? 'timeout' : faultOf(error), ms: ms() }
  } finally {
    cancel()
  }
}

/** Not `fetch`: it gives up after five minutes without an answer, regardless of `--timeout`, and adds headers. */
function answerOf(
  url: string,
  { headers, body }: { headers: Readonly<Record<string, string>>; body: string },
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? httpsRequest : httpRequest
    const length = { 'content-length': Buffer.byteLength(body) }
    // A program that was restarted has forgotten its old connections.
    const own = Object.fromEntries(Object.entries(headers).filter(([name]) => OF_WEBHOOKS.test(name)))
    request(url, { method: 'POST', agent: false, headers: { ...own, ...length, connection: 'close' }, signal })
      .on('response', resolve)
      .on('error', reject)
      // No effect after an answer.
      .on('close', () => reject(new Error('closed without an answer')))
      .end(body)
  })
}

/** Reads a short answer completely, and only the beginning of a long one. A character that is cut off at the end is left out. */
async function beginningOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= RESPONSE_BYTES) break
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, RESPONSE_BYTES), { stream: true })
}

const FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'timeout',
}

/** The code may be in a cause: `fetch` wraps errors. */
function faultOf(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const code = codeOf(at) || codeOf(at instanceof AggregateError ? at.errors[0] : null)
    if (FAULTS[code] !== undefined) return FAULTS[code]
    if (code.startsWith('HPE_')) return 'invalid_response'
    if (TLS_CODE.test(code)) return 'tls'
  }
  return 'connection'
}

const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/

/** True if `fetch` failed because of a certificate or another TLS problem. */
export function isTlsFault(error: unknown): boolean {
  return faultOf(error) === 'tls'
}
