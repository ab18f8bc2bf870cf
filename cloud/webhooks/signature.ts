// The headers of a webhook request: the specification's signature over the raw body, and those of Standard Webhooks.
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** `whsec_` and base64 of 32 random bytes. */
export function newSigningSecret(): string {
  return PREFIX + randomBytes(32).toString('base64')
}

/** The secrets that sign now. The previous one is set during a rotation. */
export interface SigningSecrets {
  current: string
  previous: string | null
}

export interface SignedRequest {
  /** The exact bytes to send. */
  body: string
  secrets: SigningSecrets
  /** `evt_...`, or the id of a message that is not an event. */
  eventId: string
  eventType: string
  deliveryId: string
  /** 1 for the first attempt. */
  attempt: number
  /** Time of this attempt, epoch ms. */
  nowMs: number
}

/**
 * X-Service-Signature: hex HMAC-SHA256 of the raw body, keyed with the UTF-8 of the whole secret, including `whsec_` (specification,
 * Events). webhook-signature: the Standard Webhooks scheme, keyed with the 32 bytes that the secret encodes. It covers id and time as well,
 * so an old request cannot be replayed.
 */
export function signedHeaders(request: SignedRequest): Record<string, string> {
  const { body, secrets, eventId, eventType, deliveryId, attempt, nowMs } = request
  const timestamp = String(Math.floor(nowMs / 1000))
  const content = `${eventId}.${timestamp}.${body}`
  const keys = secrets.previous === null ? [secrets.current] : [secrets.current, secrets.previous]
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Ticketrail-Webhooks/1',
    'X-Service-Signature': bodySignature(secrets.current, body),
    'X-Service-Event': eventType,
    'X-Service-Delivery': deliveryId,
    'X-Service-Attempt': String(attempt),
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((secret) => `v1,${standardSignature(secret, content)}`).join(' '),
  }
  if (secrets.previous !== null) headers['X-Service-Signature-Previous'] = bodySignature(secrets.previous, body)
  return headers
}

function bodySignature(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

function standardSignature(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return createHmac('sha256', key).update(content).digest('base64')
}
