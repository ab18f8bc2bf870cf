// When two requests are "the same", by their order id or their Idempotency-Key: equal hashes of their validated bodies, whatever the order of keys or the way to write a number.
import { createHash } from 'node:crypto'

/** First byte of every hash: a later rule gets another number and never takes an old order for a different one by accident. */
const VERSION = '01'

/** Version byte and SHA-256 of the canonical JSON of a validated body (defaults filled in), hex. */
export function bodyHash(body: unknown): string {
  return VERSION + createHash('sha256').update(canonicalJson(body)).digest('hex')
}

/** JSON with sorted keys and without undefined fields. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  let out = ''
  for (const key of Object.keys(value).sort()) {
    const field: unknown = Reflect.get(value, key)
    if (field !== undefined) out += `${out === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(field)}`
  }
  return `{${out}}`
}
