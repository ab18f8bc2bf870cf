// When two requests are "the same", by their order id or their Idempotency-Key: equal hashes of their validated bodies, whatever the order of keys or the way to write a number.
import { createHash } from 'node:crypto'

/** First byte of every hash, by which of the rules below it was made. */
type Version = '01' | '02'
const VERSION: Version = '02'

/**
 * Version byte and SHA-256 of the canonical JSON of a validated body (defaults filled in), hex. A field without a value, an empty text, list
 * or object and a field that is absent are the same: client libraries write them in all these ways.
 */
export function bodyHash(body: unknown): string {
  return hashBy(VERSION, body)
}

/** Whether `stored` is the hash of this body. One of an older relay is compared by the rule by which it was made. */
export function isHashOf(stored: string, body: unknown): boolean {
  const version = stored.slice(0, 2)
  return (version === '01' || version === '02') && stored === hashBy(version, body)
}

function hashBy(version: Version, body: unknown): string {
  const text = canonicalJson(body, version === '01' ? keepsAll : isEmpty)
  return version + createHash('sha256').update(text).digest('hex')
}

/** JSON with sorted keys, without undefined fields and without fields whose canonical JSON `isLeftOut`. */
export function canonicalJson(value: unknown, isLeftOut: (json: string) => boolean = keepsAll): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonicalJson(one, isLeftOut)).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  let out = ''
  for (const key of Object.keys(value).sort()) {
    const field: unknown = Reflect.get(value, key)
    if (field === undefined) continue
    const json = canonicalJson(field, isLeftOut)
    if (!isLeftOut(json)) out += `${out === '' ? '' : ','}${JSON.stringify(key)}:${json}`
  }
  return `{${out}}`
}

const keepsAll = (): boolean => false
const isEmpty = (json: string): boolean => json === '""' || json === '[]' || json === '{}'
