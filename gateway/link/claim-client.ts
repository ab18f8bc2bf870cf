// Asks the relay for a pairing over HTTPS, once. Everything that may come of it is a value with words for the technician.
import type { Clock } from '#shared/clock.ts'
import { parseJson } from '#shared/parse-json.ts'
import { smallAnswer } from '#shared/small-answer.ts'
import { CLAIM_PATH, type ClaimAnswer, type ClaimRequest, claimAnswer } from '#shared/wire/gateway-claim.ts'
import { isGuardedUrl } from '#shared/wire/guarded-url.ts'
import { certificateWords } from './certificate-words.ts'

/** `final`: the relay has decided. What is not may have happened all the same: the answer was lost. */
export type ClaimResult =
  | { kind: 'claimed'; answer: ClaimAnswer }
  | { kind: 'code-refused' | 'throttled' | 'relay-refused'; final: boolean; words: string }
  | { kind: 'unreachable'; final: false; words: string }

const PLAIN_BROKER =
  'The relay would have this box connect without encryption. Its operator must set CLOUD_GATEWAY_BROKER_URL to mqtts:// or wss://; then have a new code made.'
const TIMEOUT_MS = 15_000

/** The reason why the relay's address cannot be used; null when it can. The answer contains a password, which nobody on the way may read. */
export function relayUrlFault(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return 'The address of the relay must begin with https://.'
  if (url.username !== '' || url.password !== '') return 'The address of the relay must not hold a name or a password.'
  if (!isGuardedUrl(text))
    return 'The address of the relay must begin with https://: the answer holds the password of this box.'
  return null
}

export async function claim(
  relayUrl: string,
  request: ClaimRequest,
  { clock }: { clock: Clock },
): Promise<ClaimResult> {
  const patience = new AbortController()
  const cancel = clock.after(TIMEOUT_MS, () => patience.abort())
  try {
    const response = await fetch(`${relayUrl.replace(/\/+$/, '')}${CLAIM_PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      redirect: 'error',
      signal: patience.signal,
    })
    return judge(response.status, response.headers.get('retry-after'), await textOf(response))
  } catch (error) {
    return { kind: 'unreachable', final: false, words: unreachableWords(error, relayUrl) }
  } finally {
    cancel()
  }
}

function judge(status: number, retryAfter: string | null, text: string): ClaimResult {
  const body = parseJson(text)
  if (status === 200) {
    const parsed = claimAnswer.safeParse(body)
    if (parsed.success && !isGuardedUrl(parsed.data.brokerUrl))
      return { kind: 'relay-refused', final: true, words: PLAIN_BROKER }
    if (parsed.success) return { kind: 'claimed', answer: parsed.data }
    const words =
      'The relay answered something that is no pairing. Is GATEWAY_RELAY_URL the address of a Ticketrail relay?'
    return { kind: 'relay-refused', final: true, words }
  }
  const code = (body as { code?: unknown } | undefined)?.code
  if (code === 'gateway.claim_refused') {
    const words =
      'This code is unknown, has expired, or was used by another box. Have a new one made; it is valid for 15 minutes.'
    return { kind: 'code-refused', final: true, words }
  }
  if (code === 'gateway.too_many') {
    const words =
      'The account has as many boxes as it may have. Revoke one that is not used any more, then try this code again.'
    return { kind: 'relay-refused', final: true, words }
  }
  if (status === 429) {
    const wait = /^\d{1,5}$/.test(retryAfter ?? '') ? `${retryAfter} seconds` : 'a minute'
    return { kind: 'throttled', final: false, words: `Too many attempts. Wait for ${wait}, then try again.` }
  }
  const isTheirs = status >= 500
  const words = isTheirs
    ? `The relay is not well just now (${status}). Try again in a minute; printing goes on.`
    : `The relay refused (${status}${typeof code === 'string' ? `, ${code.slice(0, 60)}` : ''}). Is GATEWAY_RELAY_URL right?`
  return { kind: 'relay-refused', final: !isTheirs, words }
}

/** @throws Error when it is too long, or the connection breaks */
async function textOf(response: Response): Promise<string> {
  const bytes = await smallAnswer(response)
  if (bytes === null) throw new Error('the answer is too long')
  return Buffer.from(bytes).toString('utf8')
}

const NO_NAME = ['ENOTFOUND', 'EAI_AGAIN']

/** Three causes that people can distinguish: no internet, a certificate, no answer. */
function unreachableWords(error: unknown, relayUrl: string): string {
  const host = URL.parse(relayUrl)?.host ?? relayUrl
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const code = (cause as { code?: unknown } | null)?.code
  const known = typeof code === 'string' ? code : ''
  const untrusted = certificateWords(known, host, 'A private authority needs NODE_EXTRA_CA_CERTS.')
  if (untrusted !== null) return untrusted
  if (NO_NAME.includes(known))
    return `No internet: the name ${host} cannot be found. Printing and the page work without it.`
  if (known === 'ECONNREFUSED') return `Nobody answers at ${host}. Is GATEWAY_RELAY_URL right?`
  return `No internet, or ${host} is not reachable${known === '' ? '' : ` (${known})`}. Printing and the page work without it.`
}
