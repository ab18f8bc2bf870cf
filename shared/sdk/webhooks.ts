// Verifies webhooks in the receiver. Uses WebCrypto only, so it runs in Node, Deno, Bun and workers.
import { systemClock } from '#shared/clock.ts'
import type { TicketrailEvent } from './api.ts'

/** Headers as node:http, Express, Fastify or the Fetch API pass them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** The body exactly as received, before any JSON parser. */
export type RawBody = string | Uint8Array | ArrayBuffer

export interface VerifyOptions {
  /** The secret of the endpoint, `whsec_...`. Several while you rotate it. */
  secret: string | readonly string[]
  /** Maximum difference between the time in the headers and now, in seconds. Default: 300. */
  toleranceSeconds?: number
  /**
   * Also accepts requests with `X-Service-Signature` only. That signature does not cover the time, so anyone who captured a request can
   * replay it. Use this only behind a proxy that drops the `webhook-*` headers. Default: false.
   */
  allowUndated?: boolean
  /** The current time in epoch milliseconds, for tests. */
  nowMs?: number
}

/** The header whose signature matches, or one sentence why none does. */
export type Verdict =
  | { isAuthentic: true; by: 'webhook-signature' | 'X-Service-Signature' | 'X-Service-Signature-Previous' }
  | { isAuthentic: false; reason: string }

/** The request is not from the relay, was changed, or is too old. Respond with 400 or 401. */
export class SignatureError extends Error {
  override name = 'SignatureError'
}

const TOLERANCE_SECONDS = 300
type Bytes = Uint8Array<ArrayBuffer>

const PREFIX = 'whsec_'

/**
 * Returns whether the request is from the relay and was sent within five minutes of now.
 * @param raw the body before parsing
 * @param secret the endpoint's secret, or options that include it
 * @throws TypeError for a parsed body or an empty secret
 */
export async function verify(raw: RawBody, headers: WebhookHeaders, secret: string | VerifyOptions): Promise<boolean> {
  return (await explain(raw, headers, secret)).isAuthentic
}

/** Like `verify`, but returns which signature matches, or why none does, for your log. */
export async function explain(raw: RawBody, headers: WebhookHeaders, secret: string | VerifyOptions): Promise<Verdict> {
  // An environment variable that is not set comes here, too.
  const options = typeof secret === 'object' && secret !== null ? secret : { secret }
  const body = bytesOf(raw)
  const secrets = [options.secret].flat()
  if (secrets.length === 0 || secrets.some((one) => !one)) {
    throw new TypeError('The secret is empty or undefined: pass the whsec_... of the endpoint.')
  }
  const header = reader(headers)
  const dated = await datedVerdict(body, header, { ...options, secrets })
  if (dated.isAuthentic || !options.allowUndated) return dated
  for (const name of ['X-Service-Signature', 'X-Service-Signature-Previous'] as const) {
    const signature = fromHex(header(name))
    for (const one of secrets) {
      if (signature && (await isSigned(utf8(one), signature, body))) return { isAuthentic: true, by: name }
    }
  }
  return dated
}

/**
 * Verifies the request and returns its event.
 * @throws SignatureError with the reason if the request is not authentic; TypeError for a parsed body or an empty secret
 */
export async function constructEvent(
  raw: RawBody,
  headers: WebhookHeaders,
  secret: string | VerifyOptions,
): Promise<TicketrailEvent> {
  const verdict = await explain(raw, headers, secret)
  if (!verdict.isAuthentic) throw new SignatureError(verdict.reason)
  return JSON.parse(new TextDecoder().decode(bytesOf(raw))) as TicketrailEvent
}

export interface SignOptions {
  secret: string
  /** The previous secret, if a rotation is in progress: both sign. */
  previousSecret?: string
  /** Time of the attempt in epoch milliseconds. Default: now. */
  nowMs?: number
  deliveryId?: string
  /** Number of the attempt, from 1. Default: 1. */
  attempt?: number
}

/** Returns the headers that the relay sends with this body, for tests of your receiver. */
export async function sign(raw: RawBody, options: SignOptions): Promise<Record<string, string>> {
  const { secret, previousSecret, nowMs = systemClock.now(), deliveryId = 'dlv_test', attempt = 1 } = options
  const body = bytesOf(raw)
  const { id, type } = JSON.parse(new TextDecoder().decode(body)) as TicketrailEvent
  const timestamp = String(Math.floor(nowMs / 1000))
  const secrets = previousSecret === undefined ? [secret] : [secret, previousSecret]
  const signed = joined(utf8(`${id}.${timestamp}.`), body)
  const standard = await Promise.all(secrets.map(async (one) => `v1,${toBase64(await hmac(standardKey(one), signed))}`))
  const [own, previous] = await Promise.all(secrets.map(async (one) => toHex(await hmac(utf8(one), body))))
  return {
    'content-type': 'application/json',
    'x-service-signature': own ?? '',
    ...(previous === undefined ? {} : { 'x-service-signature-previous': previous }),
    'x-service-event': type,
    'x-service-delivery': deliveryId,
    'x-service-attempt': String(attempt),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  }
}

type HeaderReader = (name: string) => string

/** Checks the Standard Webhooks signature, which covers the id and the time too. */
async function datedVerdict(
  body: Bytes,
  header: HeaderReader,
  {
    secrets,
    toleranceSeconds = TOLERANCE_SECONDS,
    nowMs = systemClock.now(),
  }: VerifyOptions & { secrets: readonly string[] },
): Promise<Verdict> {
  const [id, timestamp, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')]
  if (!id || !timestamp || !signatures) {
    return refused('The headers webhook-id, webhook-timestamp and webhook-signature are not all there.')
  }
  if (!/^\d{1,12}$/.test(timestamp)) return refused('webhook-timestamp is not a number of seconds.')
  const apart = Math.round(nowMs / 1000 - Number(timestamp))
  if (Math.abs(apart) > toleranceSeconds) {
    return refused(
      `It was sent ${Math.abs(apart)} s ${apart > 0 ? 'ago' : 'ahead of this clock'}; ${toleranceSeconds} s are allowed.`,
    )
  }
  const signed = joined(utf8(`${id}.${timestamp}.`), body)
  for (const text of signatures.split(' ')) {
    const signature = text.startsWith('v1,') ? fromBase64(text.slice(3)) : null
    for (const secret of secrets) {
      if (signature && (await isSigned(standardKey(secret), signature, signed))) {
        return { isAuthentic: true, by: 'webhook-signature' }
      }
    }
  }
  return refused(
    isSpaced(body)
      ? 'No signature fits. The body has the spaces of a JSON printer, which the relay does not send: it was parsed and written again. Give the bytes as they came.'
      : 'No signature fits: the secret is of another endpoint, or the body was changed on its way, for instance by a JSON parser.',
  )
}

const refused = (reason: string): Verdict => ({ isAuthentic: false, reason })

/** The relay sends JSON without spaces. A body that was serialized again often has a space after its first brace or colon. */
function isSpaced(body: Bytes): boolean {
  return /^\s*\{\s|^\{"[^"]*":\s/.test(new TextDecoder().decode(body.subarray(0, 64)))
}

/** @throws TypeError for anything but bytes or text */
function bytesOf(raw: RawBody): Bytes {
  if (typeof raw === 'string') return utf8(raw)
  if (raw instanceof Uint8Array || raw instanceof ArrayBuffer) return new Uint8Array(raw)
  throw new TypeError(
    'Give the raw body, as bytes or text. A parsed body cannot be verified: written again it has other bytes than those that were signed. In Express, use express.raw({ type: "application/json" }) on this route.',
  )
}

/** Header names are case-insensitive. If a header occurs twice, the first one counts. */
function reader(headers: WebhookHeaders): HeaderReader {
  if (headers instanceof Headers) return (name) => headers.get(name) ?? ''
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value].flat()[0] ?? '']))
  return (name) => byName.get(name.toLowerCase()) ?? ''
}

const utf8 = (text: string): Bytes => new TextEncoder().encode(text)

function joined(first: Bytes, second: Bytes): Bytes {
  const out = new Uint8Array(first.length + second.length)
  out.set(first)
  out.set(second, first.length)
  return out
}

/** Decodes the secret to the bytes of its key. */
function standardKey(secret: string): Bytes {
  const key = fromBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret)
  if (key === null || key.length === 0) throw new TypeError('The secret is not one of ours: it is whsec_ and base64.')
  return key
}

async function hmac(key: Bytes, data: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(key, 'sign'), data))
}

/** `crypto.subtle.verify` compares in constant time. */
async function isSigned(key: Bytes, signature: Bytes, data: Bytes): Promise<boolean> {
  return crypto.subtle.verify('HMAC', await keyOf(key, 'verify'), signature, data)
}

function keyOf(bytes: Bytes, usage: 'sign' | 'verify') {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [usage])
}

function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}

const toBase64 = (bytes: Bytes): string => btoa(String.fromCharCode(...bytes))
const toHex = (bytes: Bytes): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

function fromHex(text: string): Bytes | null {
  if (!/^[0-9a-f]{64}$/i.test(text)) return null
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
