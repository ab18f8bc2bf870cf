// Lines for a terminal: a request as curl, and the check of a signature. Pure.

/** Quotes text for a shell, in single quotes, whatever it contains. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

export interface CurlRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  /** Null: none. */
  body: string | null
}

/** @returns one command on several lines. A header whose value begins with `$` is a shell variable: the key stays out of the text. */
export function curlOf({ method, url, headers, body }: CurlRequest): string {
  const lines = [`curl -X ${method} ${quoted(url)}`]
  for (const [name, value] of Object.entries(headers))
    lines.push(`  -H ${/\$[A-Z_]+$/.test(value) ? `"${name}: ${value}"` : quoted(`${name}: ${value}`)}`)
  if (body !== null) lines.push(`  --data-raw ${quoted(body)}`)
  return lines.join(' \\\n')
}

/** Prints the signature that `X-Service-Signature` must have. */
export function opensslCheck(body: string): string {
  return `printf '%s' ${quoted(body)} \\\n  | openssl dgst -sha256 -hmac "$TICKETRAIL_WEBHOOK_SECRET"`
}
