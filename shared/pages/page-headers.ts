// Headers that every answer of a page's server carries.
import { isHttps } from './cookies.ts'

/**
 * No strict-transport-security: it applies to every port of a name, so a browser that got it once would never again open a kitchen display
 * of a box by http, and could not pass the warning about a certificate that the box made itself. The relay sends it at its own server.
 */
const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const

/** Scripts, styles and everything else from this server alone; nothing inline, in no frame. The pages set styles by script, which it allows. */
const POLICY =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Browsers heed it on https only, and complain of it on plain http. */
const HTTPS_HEADERS = { 'cross-origin-opener-policy': 'same-origin' } as const

export function pageHeaders(request: Parameters<typeof isHttps>[0]): Readonly<Record<string, string>> {
  return { ...COMMON_HEADERS, 'content-security-policy': POLICY, ...(isHttps(request) && HTTPS_HEADERS) }
}
