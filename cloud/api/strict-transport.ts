// Makes browsers that came by https use only https from then on (RFC 6797).
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type BrowserDeps, browserOf } from './dashboard/browser.ts'

/** Other hosts below this name may have no https yet: operators with https everywhere add `includeSubDomains` at the proxy. */
const A_YEAR = 'max-age=31536000'

/** On a developer's machine other programs answer at other ports of this name, by plain http; the header would hold for all of them. */
const OF_THIS_MACHINE = /^(?:[^:]+\.)?localhost(?::\d+)?$/i

/**
 * Adds the header to answers that the client got by https, from the relay itself or from a trusted proxy. Over plain http anybody on the network
 * could send it, so browsers ignore it there; for an address without a name they ignore it too.
 * @returns the same reply
 */
export function sayStrictTransport(request: FastifyRequest, reply: FastifyReply, deps: BrowserDeps): FastifyReply {
  const { headers, protocol } = browserOf(request, deps)
  const isTold = protocol === 'https' && !OF_THIS_MACHINE.test(headers.host ?? '')
  return isTold ? reply.header('strict-transport-security', A_YEAR) : reply
}
