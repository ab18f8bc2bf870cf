// The faults of the sandbox: M-TEST-SLOW answers late, M-TEST-FLAKY fails at random. Never for a live key.
//
// M-TEST-PRINTER-OFFLINE needs nothing here: its simulated kitchen is offline, and the ordinary code handles that.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { FAULT_MERCHANTS } from '#cloud/sandbox/fixture-merchants.ts'
import type { Clock } from '#shared/clock.ts'
import type { App } from './app.ts'
import { errorBody, internalError } from './error-reply.ts'
import { sleepWhileConnected } from './sleep-while-connected.ts'

export interface SandboxFaultDeps {
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
  docBase: () => string
}

export const SLOW_MS = 5_000
/** Share of requests that fail before anything is done, and the same share again that fail although everything was done. */
const FLAKY_EACH = 0.15
/** Headers of an answer that is thrown away. */
const ANSWERS_OWN = ['location', 'idempotent-replayed', 'content-disposition', 'retry-after'] as const

declare module 'fastify' {
  interface FastifyRequest {
    /** True when this request of M-TEST-FLAKY is to be answered 500 although its work is committed. */
    losesAnswer: boolean
  }
}

/**
 * Installs the faults for every route. A request of M-TEST-SLOW is worked on at once and answered 5 s later, whatever the answer is: a
 * client that gives up earlier has been served. One of M-TEST-FLAKY that passed its schema fails with 500 in 30 % of the cases, half
 * of them before and half of them after the commit.
 */
export function useSandboxFaults(app: App, deps: SandboxFaultDeps): void {
  app.decorateRequest('losesAnswer', false)

  app.addHook('preHandler', async (request, reply) => {
    if (sandboxMerchantOf(request) !== FAULT_MERCHANTS.flaky) return
    const luck = deps.random()
    if (luck < FLAKY_EACH) return reply.send(failure(deps, request, reply))
    request.losesAnswer = luck < 2 * FLAKY_EACH
  })

  app.addHook('onSend', async (request, reply, payload) => {
    if (sandboxMerchantOf(request) === FAULT_MERCHANTS.slow) await sleepWhileConnected(deps.clock, reply, SLOW_MS)
    return request.losesAnswer ? failure(deps, request, reply) : payload
  })
}

/** The merchant that a request of a sandbox key names; null for every other request. */
function sandboxMerchantOf(request: FastifyRequest): string | null {
  if (request.principal?.environment !== 'sandbox') return null
  return merchantIdIn(request.body) ?? merchantIdIn(request.query)
}

function merchantIdIn(part: unknown): string | null {
  if (typeof part !== 'object' || part === null || !('merchantId' in part)) return null
  return typeof part.merchantId === 'string' ? part.merchantId : null
}

/** Turns the reply into the 500 that a client must expect from any server. @returns its body */
function failure(deps: SandboxFaultDeps, request: FastifyRequest, reply: FastifyReply): string {
  for (const name of ANSWERS_OWN) reply.removeHeader(name)
  reply.code(500).header('cache-control', 'no-store').type('application/json; charset=utf-8')
  return errorBody(internalError(request), request.id, deps.docBase())
}
