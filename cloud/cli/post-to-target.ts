// Posts one delivery to the developer's program, and says what came of it in the words of the relay's log.
import type { Clock } from '#shared/clock.ts'
import { codeOf } from '#shared/code-of.ts'
import type { Surroundings } from './command.ts'
import type { AttemptResult } from './listen-journal.ts'

/** The relay keeps 1 KiB. */
const RESPONSE_KEPT = 1_024

export interface Target {
  url: string
  timeoutMs: number
  fetch: Surroundings['fetch']
  clock: Clock
}

/** The very body and headers, once; redirects are not followed. Never throws. */
export async function postToTarget(
  { url, timeoutMs, fetch, clock }: Target,
  { headers, body }: { headers: Readonly<Record<string, string>>; body: string },
): Promise<AttemptResult> {
  const startedMs = clock.monotonicMs()
  const ms = () => Math.round(clock.monotonicMs() - startedMs)
  const late = new AbortController()
  const cancel = clock.after(timeoutMs, () => late.abort())
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body,
      // A program that was restarted has forgotten its old connections.
      headers: { ...headers, connection: 'close' },
      redirect: 'manual',
      signal: late.signal,
    })
    const response = await beginningOf(answer)
    return { status: answer.status, ms: ms(), ...(response !== '' && { response }) }
  } catch (error) {
    return { error: late.signal.aborted ? 'timeout' : faultOf(error), ms: ms() }
  } finally {
    cancel()
  }
}

/** All of a short answer; the rest of a long one is not read. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  if (body !== null) {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length >= RESPONSE_KEPT) break
    }
  }
  return text.slice(0, RESPONSE_KEPT)
}

const FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
}

/** fetch wraps what happened, some of it twice. */
function faultOf(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const code = codeOf(at) || codeOf(at instanceof AggregateError ? at.errors[0] : null)
    if (FAULTS[code] !== undefined) return FAULTS[code]
    if (code.startsWith('HPE_')) return 'invalid_response'
    if (TLS_CODE.test(code)) return 'tls'
  }
  return 'connection'
}

const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/

/** Whether `fetch` failed because of a certificate or the like. */
export function isTlsFault(error: unknown): boolean {
  return faultOf(error) === 'tls'
}
