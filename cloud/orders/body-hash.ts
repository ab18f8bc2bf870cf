// When two inject requests are "the same": equal hashes of their validated bodies, whatever the order of keys or the way to write a number.
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
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`)
  return `{${fields.join(',')}}`
}
