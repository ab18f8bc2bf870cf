// /v1/webhook/listener, /v1/webhook/{webhookId}/stream and /result: how a program on a developer's machine gets the events of a merchant.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type App, principalOf } from '#cloud/api/app.ts'
import { type AnswerOnceDeps, answerOnce } from '#cloud/api/idempotency.ts'
import { authenticate, type Principal } from '#cloud/auth/api-keys.ts'
import type { Authorize } from '#cloud/auth/authorize.ts'
import { requireScope } from '#cloud/auth/scopes.ts'
import type { AccountStore } from '#cloud/storage/account-store.ts'
import type { ApiKeyStore } from '#cloud/storage/api-key-store.ts'
import type { Listener, ListenerStore } from '#cloud/storage/listener-store.ts'
import type { ListenerDesk } from '#cloud/webhooks/listener-desk.ts'
import { createListener, recordResult } from '#cloud/webhooks/listeners.ts'
import { ServiceError } from '#shared/errors.ts'
import type { Logger } from '#shared/log.ts'
import { EventStream } from '#shared/pages/event-stream.ts'
import {
  createdListener,
  createListener as createListenerBody,
  listenerResult,
  recordedResult,
} from '#shared/wire/api/listeners.ts'
import { webhookParams } from '#shared/wire/api/webhooks.ts'
import { webhookIdOf } from './webhook-routes.ts'

export interface ListenerRouteDeps extends AnswerOnceDeps {
  authorize: Authorize
  accounts: Pick<AccountStore, 'liveListening'>
  apiKeys: ApiKeyStore
  listeners: ListenerStore
  desk: ListenerDesk
  log: Logger
}

const access = 'webhooks:manage'
const tag = 'Webhooks'

export function listenerRoutes(app: App, deps: ListenerRouteDeps): void {
  create(app, deps)
  stream(app, deps)
  result(app, deps)
}

function create(app: App, deps: ListenerRouteDeps): void {
  app.route({
    method: 'POST',
    url: '/v1/webhook/listener',
    config: {
      access,
      doc: {
        operationId: 'createListener',
        summary: 'Make a listener: an endpoint without an address, for a program on your machine',
        tag,
        errors: ['webhook.listener_limit', 'webhook.live_listening_off', 'webhook.not_found'],
      },
    },
    schema: { body: createListenerBody, response: { 201: createdListener } },
    handler: async (request, reply) => {
      const { merchantId, ...wanted } = request.body
      const principal = principalOf(request)
      const merchant = await deps.authorize(principal, merchantId)
      await requireListening(deps, principal)
      return answerOnce(deps, (tx) => createListener(tx, deps, { merchant, ...wanted }), {
        request,
        reply,
        status: 201,
        secret: true,
        headers: ({ webhookId }) => ({ location: `/v1/webhook/${webhookId}` }),
      })
    },
  })
}

function stream(app: App, deps: ListenerRouteDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/webhook/:webhookId/stream',
    config: {
      access,
      isFeed: true,
      unmetered: true,
      doc: {
        operationId: 'openStream',
        summary: 'Open the stream of a listener, which brings its deliveries as they happen',
        tag,
        errors: ['webhook.not_found', 'webhook.live_listening_off'],
        produces: ['text/event-stream'],
      },
    },
    schema: { params: webhookParams },
    handler: async (request, reply) => {
      const listener = await listenerOf(deps, request)
      await requireListening(deps, listener)
      deps.desk.admit(listener)
      await deps.desk.open(listener, (closed) => begin(reply, closed), mayListen(deps, request, listener))
      return reply
    },
  })
}

function result(app: App, deps: ListenerRouteDeps): void {
  app.route({
    method: 'POST',
    url: '/v1/webhook/:webhookId/result',
    config: {
      access,
      unmetered: true,
      doc: {
        operationId: 'recordResult',
        summary: 'Say what your server answered to a delivery of the stream',
        tag,
        errors: ['webhook.not_found', 'webhook.delivery_not_found', 'webhook.result_unexpected'],
        // `deliveryId` and `number` recognise a repetition.
        takesNoIdempotencyKey: true,
      },
    },
    schema: { params: webhookParams, body: listenerResult, response: { 200: recordedResult } },
    handler: async (request, reply) => {
      const listener = await listenerOf(deps, request)
      const answer = await recordResult(deps, listener, request.body)
      return reply.header('cache-control', 'no-store').send(answer)
    },
  })
}

type ListenerRequest = Pick<FastifyRequest, 'headers' | 'principal'> & { params: { webhookId: string } }

/** @throws ServiceError webhook.not_found (404): unknown, or of another account or environment; merchant.* */
async function listenerOf(deps: ListenerRouteDeps, request: ListenerRequest): Promise<Listener> {
  const principal = principalOf(request)
  const listener = await deps.listeners.find(principal, webhookIdOf(request.params.webhookId))
  if (listener === null) throw new ServiceError('webhook.not_found')
  // A grant that was taken back ends it.
  await deps.authorize(principal, listener.merchantId)
  return listener
}

/** @throws ServiceError webhook.live_listening_off (403) */
async function requireListening(
  { accounts }: Pick<ListenerRouteDeps, 'accounts'>,
  { accountId, environment }: Pick<Principal, 'accountId' | 'environment'>,
): Promise<void> {
  if (environment === 'live' && !(await accounts.liveListening(accountId)))
    throw new ServiceError('webhook.live_listening_off')
}

/** Asked while the stream is open: the key may be revoked, the grant taken back, the switch turned off. */
function mayListen(deps: ListenerRouteDeps, request: ListenerRequest, listener: Listener): () => Promise<boolean> {
  const { authorization } = request.headers
  return async () => {
    try {
      const principal = await authenticate(deps, authorization)
      requireScope(principal.scopes, access)
      await deps.authorize({ ...principal, wanted: access }, listener.merchantId)
      await requireListening(deps, listener)
      return true
    } catch (error) {
      // A database that does not answer now proves nothing about rights.
      if (error instanceof ServiceError && error.code !== 'service.unavailable') return false
      throw error
    }
  }
}

/** What is gone already, or goes while the head is written, is closed at once. */
function begin(reply: FastifyReply, closed: () => void): EventStream {
  const isGone = reply.raw.destroyed
  const events = new EventStream(reply, closed)
  if (isGone) queueMicrotask(closed)
  return events
}
