// Limits calls without a valid key by the budget of their address, and delays refusals for clients that ignore them.
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import type { App } from './app.ts'
import { sleepWhileConnected } from './sleep-while-connected.ts'
import type { StrangerBudget } from './stranger-budget.ts'

/** A refusal costs as much as a small answer: with this wait a connection has one in two seconds, and 256 of them cost nothing. */
const LATE_MS = 2_000
const MESSAGE =
  'Too many calls without a valid API key from this address. Wait for Retry-After seconds; calls with a valid key are not counted.'

declare module 'fastify' {
  interface FastifyRequest {
    /** True when its answer counts against the address. */
    isStrangers: boolean
  }
}

export interface StrangersDeps {
  clock: Clock
  /** Without it nothing is refused: only for tests of other things. */
  strangers?: StrangerBudget
}

export interface Strangers {
  /** @throws ServiceError rate_limit.exceeded (429) with Retry-After */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Resolves when this refusal may be sent. */
  beforeRefusal(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/** @param makeWay its connection goes first where a newcomer needs a place: a refusal that waits keeps no caller out */
export function admitStrangers(app: App, deps: StrangersDeps, makeWay: (request: IncomingMessage) => void): Strangers {
  const { clock, strangers } = deps
  if (!strangers) return { admit: async () => undefined, beforeRefusal: async () => undefined }
  app.decorateRequest('isStrangers', false)
  // biome-ignore lint/complexity/useMaxParams: Fastify's own parameters
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.isStrangers) strangers.answered(request.client, bytesOf(reply, payload))
    done(null, payload)
  })
  const beforeRefusal: Strangers['beforeRefusal'] = async (request, reply) => {
    if (strangers.mayRefuseAtOnce(request.client)) return
    makeWay(request.raw)
    await sleepWhileConnected(clock, reply, LATE_MS)
  }
  return {
    beforeRefusal,
    async admit(request, reply) {
      const retryAfterSeconds = strangers.take(
        request.client,
        request.routeOptions.config.probe === true ? 'probe' : 'call',
      )
      request.isStrangers = request.routeOptions.config.probe !== true
      if (retryAfterSeconds === null) return
      await beforeRefusal(request, reply)
      throw new ServiceError('rate_limit.exceeded', { message: MESSAGE, retryAfterSeconds })
    },
  }
}

function bytesOf(reply: FastifyReply, payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload)
  if (Buffer.isBuffer(payload)) return payload.length
  return Number(reply.getHeader('content-length') ?? 0)
}
