// Browsers that came by https are told to come by nothing else from then on (RFC 6797).
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type BrowserDeps, browserOf } from './dashboard/browser.ts'

/** Other hosts below this name may have no https yet: whoever has it everywhere adds `includeSubDomains` at the proxy. */
const A_YEAR = 'max-age=31536000'

/** On a developer's machine other programs answer at other ports of this name, by plain http; the header would hold for all of them. */
const OF_THIS_MACHINE = /^(?:[^:]+\.)?localhost(?::\d+)?$/i

/**
 * Says it on answers that the client got by https, from the relay itself or from a trusted proxy. By plain http anybody on the way could say
 * it, so browsers would not listen; to an address without a name they do not listen either.
 * @returns the same reply
 */
export function sayStrictTransport(request: FastifyRequest, reply: FastifyReply, deps: BrowserDeps): FastifyReply {
  const { headers, protocol } = browserOf(request, deps)
  const isTold = protocol === 'https' && !OF_THIS_MACHINE.test(headers.host ?? '')
  return isTold ? reply.header('strict-transport-security', A_YEAR) : reply
}
