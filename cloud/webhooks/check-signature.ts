// The check of a signature in the steps that a receiver makes, with the value of each: for the page that shows what arrived.
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { SigningSecrets } from './signature.ts'

/** How old `webhook-timestamp` may be: the tolerance of the Standard Webhooks. */
const TOLERANCE_S = 300
/** Of the text that is signed, this much is shown. */
const SHOWN = 120

export type SignatureStep =
  /** The bytes that are signed, as they arrived. */
  | { step: 'body'; ok: true; bytes: number; sha256: string }
  /** Hex HMAC-SHA256 of the body against `X-Service-Signature`. */
  | { step: 'service-signature'; ok: boolean; expected: string; received: string | null }
  /** `<id>.<timestamp>.<body>`, its beginning. */
  | { step: 'signed-text'; ok: boolean; text: string }
  /** Base64 HMAC-SHA256 of that text against each part of `webhook-signature`. */
  | { step: 'standard-signature'; ok: boolean; expected: string; received: string[] }
  | { step: 'age'; ok: boolean; seconds: number; atMost: number }

/**
 * @param headers as they arrived, names in any case
 * @param receivedMs epoch ms
 */
export function signatureSteps(
  { headers, body }: { headers: Readonly<Record<string, string>>; body: string },
  { current }: SigningSecrets,
  receivedMs: number,
): SignatureStep[] {
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const id = byName.get('webhook-id') ?? ''
  const timestamp = byName.get('webhook-timestamp') ?? ''
  const service = byName.get('x-service-signature') ?? null
  const parts = (byName.get('webhook-signature') ?? '').split(' ').filter((part) => part !== '')
  const text = `${id}.${timestamp}.${body}`
  const hex = createHmac('sha256', current).update(body).digest('hex')
  const key = Buffer.from(current.replace(/^whsec_/, ''), 'base64')
  const standard = `v1,${createHmac('sha256', key).update(text).digest('base64')}`
  const seconds = Math.round(receivedMs / 1_000 - Number(timestamp))
  return [
    { step: 'body', ok: true, bytes: Buffer.byteLength(body), sha256: hash('sha256', body) },
    { step: 'service-signature', ok: service !== null && isSame(service, hex), expected: hex, received: service },
    { step: 'signed-text', ok: id !== '' && /^\d+$/.test(timestamp), text: text.slice(0, SHOWN) },
    {
      step: 'standard-signature',
      ok: parts.some((part) => isSame(part, standard)),
      expected: standard,
      received: parts,
    },
    { step: 'age', ok: Math.abs(seconds) <= TOLERANCE_S, seconds, atMost: TOLERANCE_S },
  ]
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
