// How the person's browser reached the dashboard: by https or not, which may end at a proxy before the relay.
import type { FastifyRequest } from 'fastify'
import type { TrustedProxies } from '#cloud/limits/trusted-proxies.ts'
import { isThisMachine } from '#shared/this-machine.ts'

/** By https `__Host-ticketrail`. */
export const SESSION_COOKIE = 'ticketrail'

/** What `shared/pages/cookies.ts` asks of a request. */
export interface Browser {
  headers: FastifyRequest['headers']
  /** As the browser sees it. */
  protocol: 'http' | 'https'
  /** By http over a network, where others could read a password or a cookie. */
  isPlain: boolean
}

export interface BrowserDeps {
  proxies: Pick<TrustedProxies, 'has'>
  /** The relay's address as clients see it. */
  docBase: () => string
}

/**
 * X-Forwarded-Proto is used from trusted proxies and from this machine; if they do not send it, the request came as the public address
 * has it, if that has the same host. A forged value harms only its sender: a browser accepts a `__Host-` cookie by https only.
 */
export function browserOf({ raw, protocol }: FastifyRequest, { proxies, docBase }: BrowserDeps): Browser {
  const { headers, socket } = raw
  if (protocol === 'https') return { headers, protocol, isPlain: false }
  const isHere = isThisMachine(socket.remoteAddress)
  const seen = isHere || proxies.has(socket.remoteAddress) ? forwardedProtocol(headers, docBase()) : 'http'
  const isDirect = isHere && headers['x-forwarded-for'] === undefined
  return { headers, protocol: seen, isPlain: seen === 'http' && !isDirect }
}

function forwardedProtocol(headers: Browser['headers'], docBase: string): Browser['protocol'] {
  const said = headers['x-forwarded-proto']
  if (said !== undefined) return said === 'https' ? 'https' : 'http'
  // Asked at every request: only an address by https is worth the parsing, and a relay that does not listen yet has none.
  if (!docBase.startsWith('https:')) return 'http'
  return headers.host?.toLowerCase() === new URL(docBase).host ? 'https' : 'http'
}
