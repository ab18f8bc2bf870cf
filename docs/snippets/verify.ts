// Verifies webhooks of Ticketrail in Node.js. Copy it into your receiver: it needs nothing but node:crypto.
import { createHmac, timingSafeEqual } from 'node:crypto'

const TOLERANCE_SECONDS = 300

/**
 * True when the body is ours and was sent within five minutes of now. Use this one if you can: a captured request cannot be sent to you
 * again later.
 * @param rawBody the bytes as they came, before any JSON parser
 * @param headers with lower-case names, as node:http gives them
 * @param secret the whole secret, `whsec_` included
 * @param nowSeconds Date.now() / 1000
 */
export function isFresh(
  rawBody: Uint8Array,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  secret: string,
  nowSeconds: number,
): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowSeconds - Number(timestamp)) > TOLERANCE_SECONDS) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  // Anybody can sign with a secret that was not set.
  if (key.length === 0) return false
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest()
  // While the secret is being rotated there are two.
  return signatures
    .split(' ')
    .some((one) => one.startsWith('v1,') && same(Buffer.from(one.slice(3), 'base64'), expected))
}

/** True when the body is ours: the header X-Service-Signature. It says nothing about when it was sent. */
export function isAuthentic(rawBody: Uint8Array, signature: string | undefined, secret: string): boolean {
  if (/^(whsec_)?$/.test(secret)) return false
  const expected = createHmac('sha256', secret).update(rawBody).digest()
  return same(Buffer.from(signature ?? '', 'hex'), expected)
}

function same(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}
