// Verifies a signature in the steps of a receiver, with the value of each step, for the page that shows received requests.
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { SigningSecrets } from './signature.ts'

/** Maximum age of `webhook-timestamp`: the tolerance of Standard Webhooks. */
const TOLERANCE_S = 300
/** Number of characters of the signed text that are shown. */
const SHOWN = 120

export type SignatureStep =
  /** The signed bytes, as received. */
  | { step: 'body'; ok: true; bytes: number; sha256: string }
  /** Hex HMAC-SHA256 of the body, compared with `X-Service-Signature`. */
  | { step: 'service-signature'; ok: boolean; expected: string; received: string | null }
  /** `<id>.<timestamp>.<body>`, shortened. */
  | { step: 'signed-text'; ok: boolean; text: string }
  /** Base64 HMAC-SHA256 of that text, compared with each part of `webhook-signature`. */
  | { step: 'standard-signature'; ok: boolean; expected: string; received: string[] }
  | { step: 'age'; ok: boolean; seconds: number; atMost: number }

/**
 * Verifies a request.
 * @param headers as received, with names in any case
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
