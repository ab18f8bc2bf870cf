// /v1/webhooks and /v1/webhook/{webhookId}: where a merchant's events are sent.
import { type App, principalOf } from '#cloud/api/app.ts'
import { type AnswerOnceDeps, answerOnce } from '#cloud/api/idempotency.ts'
import type { Authorize } from '#cloud/auth/authorize.ts'
import type { Tx } from '#cloud/storage/database.ts'
import {
  changeEndpoint,
  checkTarget,
  createEndpoint,
  deleteEndpoint,
  type EndpointDeps,
  fireTestEvent,
  getEndpoint,
  listEndpoints,
  rotateSecret,
} from '#cloud/webhooks/endpoints.ts'
import type { TargetGuard } from '#cloud/webhooks/target-guard.ts'
import { ServiceError } from '#shared/errors.ts'
import { isId, type WebhookId } from '#shared/ids.ts'
import { merchantQuery } from '#shared/wire/api/fields.ts'
import {
  changeWebhook,
  createdWebhookEndpoint,
  createWebhook,
  rotatedSecret,
  rotateSecret as rotateSecretBody,
  testWebhook,
  testWebhookResult,
  webhookEndpoint,
  webhookParams,
  webhooksList,
} from '#shared/wire/api/webhooks.ts'

export interface WebhookRouteDeps extends EndpointDeps, AnswerOnceDeps {
  authorize: Authorize
  guard: TargetGuard
}

/** @throws ServiceError webhook.not_found (404) for text that is no webhook's id */
export function webhookIdOf(text: string): WebhookId {
  if (isId('we', text)) return text
  throw new ServiceError('webhook.not_found')
}

const access = 'webhooks:manage'
const tag = 'Webhooks'

export function webhookRoutes(app: App, deps: WebhookRouteDeps): void {
  createAndList(app, deps)
  readChangeAndDelete(app, deps)
  rotateAndTest(app, deps)
}

function createAndList(app: App, deps: WebhookRouteDeps): void {
  app.route({
    method: 'POST',
    url: '/v1/webhooks',
    config: {
      access,
      doc: {
        operationId: 'createWebhook',
        summary: 'Register an endpoint',
        tag,
        errors: ['webhook.invalid_url', 'webhook.limit_reached'],
      },
    },
    schema: { body: createWebhook, response: { 201: createdWebhookEndpoint } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.body.merchantId)
      return answerOnce(deps, (tx) => createEndpoint(tx, deps, { merchant, ...request.body }), {
        request,
        reply,
        before: () => checkTarget(deps, merchant, request.body.url),
        status: 201,
        secret: true,
        headers: ({ webhookId }) => ({ location: `/v1/webhook/${webhookId}` }),
      })
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/webhooks',
    config: { access, doc: { operationId: 'listWebhooks', summary: 'List endpoints', tag } },
    schema: { querystring: merchantQuery, response: { 200: webhooksList } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.query.merchantId)
      return reply.header('cache-control', 'no-store').send({ data: await listEndpoints(deps, merchant) })
    },
  })
}

function readChangeAndDelete(app: App, deps: WebhookRouteDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/webhook/:webhookId',
    config: {
      access,
      doc: { operationId: 'getWebhook', summary: 'Read an endpoint', tag, errors: ['webhook.not_found'] },
    },
    schema: { params: webhookParams, querystring: merchantQuery, response: { 200: webhookEndpoint } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.query.merchantId)
      const endpoint = await getEndpoint(deps, merchant, webhookIdOf(request.params.webhookId))
      return reply.header('cache-control', 'no-store').send(endpoint)
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/webhook/:webhookId',
    config: {
      access,
      doc: {
        operationId: 'changeWebhook',
        summary: 'Change, enable or disable an endpoint',
        tag,
        errors: ['webhook.not_found', 'webhook.invalid_url'],
      },
    },
    schema: { params: webhookParams, body: changeWebhook, response: { 200: webhookEndpoint } },
    handler: async (request, reply) => {
      const { merchantId, ...change } = request.body
      const merchant = await deps.authorize(principalOf(request), merchantId)
      const webhookId = webhookIdOf(request.params.webhookId)
      // The endpoint's owner is checked before the URL.
      await getEndpoint(deps, merchant, webhookId)
      if (change.url !== undefined) await checkTarget(deps, merchant, change.url)
      const { answer, wake } = await deps.db.unit((tx) => changeEndpoint(tx, deps, { merchant, webhookId, ...change }))
      wake?.()
      return reply.header('cache-control', 'no-store').send(answer)
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/webhook/:webhookId',
    config: {
      access,
      doc: {
        operationId: 'deleteWebhook',
        summary: 'Remove an endpoint with its deliveries',
        tag,
        errors: ['webhook.not_found'],
      },
    },
    schema: { params: webhookParams, querystring: merchantQuery },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.query.merchantId)
      await deleteEndpoint(deps, merchant, webhookIdOf(request.params.webhookId))
      return reply.code(204).send()
    },
  })
}

function rotateAndTest(app: App, deps: WebhookRouteDeps): void {
  app.route({
    method: 'POST',
    url: '/v1/webhook/:webhookId/rotate-secret',
    config: {
      access,
      doc: {
        operationId: 'rotateWebhookSecret',
        summary: 'Replace the signing secret; the old one signs beside it for a while',
        tag,
        errors: ['webhook.not_found'],
      },
    },
    schema: { params: webhookParams, body: rotateSecretBody, response: { 200: rotatedSecret } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.body.merchantId)
      const webhookId = webhookIdOf(request.params.webhookId)
      const work = (tx: Tx) => rotateSecret(tx, deps, { merchant, webhookId, ...request.body })
      return answerOnce(deps, work, { request, reply, secret: true })
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/webhook/:webhookId/test',
    config: {
      access,
      sandboxOnly: true,
      doc: {
        operationId: 'testWebhook',
        summary: 'Send an event of any type with made-up data',
        tag,
        errors: ['webhook.not_found', 'webhook.disabled'],
      },
    },
    schema: { params: webhookParams, body: testWebhook, response: { 200: testWebhookResult } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.body.merchantId)
      const webhookId = webhookIdOf(request.params.webhookId)
      return answerOnce(
        deps,
        (tx) => fireTestEvent(tx, deps, { merchant, webhookId, event: { type: request.body.type } }),
        { request, reply },
      )
    },
  })
}
