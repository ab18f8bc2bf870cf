// When two requests are "the same", by their order id or their Idempotency-Key: equal hashes of their validated bodies, whatever the order of keys or the way to write a number.
import { createHash } from 'node:crypto'

/**
 * First byte of every hash. Releases before this one know it alone, and answer an honest repetition with 409 when they read another. A body
 * without empty fields has the same hash by their rule as by ours.
 */
const VERSION = '01'

/**
 * Version byte and SHA-256 of the canonical JSON of a validated body (defaults filled in), hex. A field without a value, an empty text, list
 * or object and a field that is absent are the same: client libraries write them in all these ways. So are a `tip` of 0 and none: an order is
 * read back with `tip: 0`.
 */
export function bodyHash(body: unknown): string {
  return hashOf(canonicalJson(body, isEmpty))
}

/** Whether `stored` is the hash of this body. Older relays kept empty fields in the hash: theirs is taken as well. */
export function isHashOf(stored: string, body: unknown): boolean {
  return stored === bodyHash(body) || stored === hashOf(canonicalJson(body))
}

const hashOf = (json: string): string => VERSION + createHash('sha256').update(json).digest('hex')

/** JSON with sorted keys, without undefined fields and without fields that `isLeftOut` names by their canonical JSON and their name. */
export function canonicalJson(value: unknown, isLeftOut: (json: string, name: string) => boolean = keepsAll): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonicalJson(one, isLeftOut)).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  let out = ''
  for (const key of Object.keys(value).sort()) {
    const field: unknown = Reflect.get(value, key)
    if (field === undefined) continue
    const json = canonicalJson(field, isLeftOut)
    if (!isLeftOut(json, key)) out += `${out === '' ? '' : ','}${JSON.stringify(key)}:${json}`
  }
  return `{${out}}`
}

const keepsAll = (): boolean => false
const isEmpty = (json: string, name: string): boolean =>
  json === '""' || json === '[]' || json === '{}' || (name === 'tip' && json === '0')
