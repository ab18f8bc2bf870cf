// Signatures of Twilio's form: HMAC-SHA1 with the account's token over the address as it was configured and the fields in order.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { HookRequest } from '#cloud/telephony/telephony.ts'

type Form = HookRequest['form']

/** The account that hooks are signed for. */
export interface TwilioAccount {
  account: string
  token: string
  /** Name of the header, in lower case. */
  header: string
}

/** Base64. */
export function twilioSignature(token: string, url: string, form: Form): string {
  return signatureOf(token, url, signedFields(form))
}

function signatureOf(token: string, url: string, fields: string): string {
  return createHmac('sha1', token)
    .update(url + fields)
    .digest('base64')
}

/**
 * Fields as they are signed: ordered by name; a name that is there more than once counts with each of its different values, in order. Both
 * orders are by UTF-16 code units, as the vendor's own library has them.
 */
function signedFields(form: Form): string {
  const values = new Map<string, Set<string>>()
  for (const [name, value] of form) values.set(name, (values.get(name) ?? new Set()).add(value))
  return [...values.keys()]
    .sort()
    .flatMap((name) => [...(values.get(name) ?? [])].sort().map((value) => name + value))
    .join('')
}

/**
 * Whether the request is signed with the account's token, and about that account. The address is tried with and without the default port:
 * Twilio signs it the one way or the other. A body that is no form is signed by its SHA-256 in the query.
 */
export function isFromTwilio({ account, token, header }: TwilioAccount, request: HookRequest): boolean {
  const given = request.headers[header]
  if (typeof given !== 'string') return false
  // Another algorithm means another secret, which there is no setting for.
  const settings = request.headers['x-twilio-webhooks-signature-settings']
  if (settings !== undefined && !/^([^,]*,)*\s*algorithm\s*=\s*hmac_sha1\s*(,|$)/i.test(String(settings))) return false
  const bodyHash = URL.parse(request.url)?.searchParams.get('bodySHA256') ?? null
  const fields = bodyHash === null ? signedFields(request.form) : ''
  const isSigned = withAndWithoutPort(request.url).reduce(
    // Not `some`: all take the same time.
    (found, url) => isSame(given, signatureOf(token, url, fields)) || found,
    false,
  )
  if (!isSigned) return false
  if (bodyHash !== null) return isSame(bodyHash, createHash('sha256').update(request.body, 'utf8').digest('hex'))
  const accounts = request.form.filter(([name]) => name === 'AccountSid')
  return accounts.length === 1 && accounts[0]?.[1] === account
}

/** The address as text, never normalised: what a URL parser rewrites would not be what was signed. */
export function withAndWithoutPort(url: string): string[] {
  const [, scheme = '', authority = '', rest = ''] = /^(https?:\/\/)([^/?#]*)(.*)$/is.exec(url) ?? []
  if (scheme === '') return [url]
  const port = scheme.toLowerCase() === 'https://' ? ':443' : ':80'
  // An address in brackets has colons of its own.
  const given = /(?<=[^:]|\]):\d*$/.exec(authority.replace(/\[[^\]]*\]/g, (inner) => 'x'.repeat(inner.length)))?.[0]
  if (given === undefined) return [url, scheme + authority + port + rest]
  return [url, scheme + authority.slice(0, -given.length) + rest]
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
