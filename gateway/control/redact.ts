// Takes out of diagnostics what no support needs: secrets and people. A second line of defence, because neither should be there.

const SECRET_FIELDS = new Set([
  'apikey',
  'authorization',
  'body',
  'code',
  'cookie',
  'customer',
  'email',
  'guest',
  'password',
  'phone',
  'secret',
  'token',
])
const HIDDEN = '[redacted]'
const PATTERNS: readonly RegExp[] = [
  // API keys and credentials of this product, then anything as long and as random.
  /\b(?:sk|gwt|whsec)_[A-Za-z0-9_-]{8,}/g,
  /\b(?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{40,}/g,
  /[^\s@"']{1,64}@[^\s@"']{1,255}\.[A-Za-z]{2,}/g,
  /\+\d[\d ()-]{7,}\d/g,
]

/** A copy of JSON data without the values of secret fields, and without text that looks like a secret, an address or a telephone number. */
export function redacted(value: unknown): unknown {
  if (typeof value === 'string') return PATTERNS.reduce((text, pattern) => text.replace(pattern, HIDDEN), value)
  if (Array.isArray(value)) return value.map(redacted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, SECRET_FIELDS.has(key.toLowerCase()) ? HIDDEN : redacted(one)]),
  )
}
