// /v1/webhooks and /v1/webhook/{webhookId}: where a merchant's events are sent.
import { z } from 'zod'
import { type App, principalOf } from '#cloud/api/app.ts'
import type { Authorize } from '#cloud/auth/authorize.ts'
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointDeps,
  getEndpoint,
  listEndpoints,
} from '#cloud/webhooks/endpoints.ts'
import { ServiceError } from '#shared/errors.ts'
import { isId, type WebhookId } from '#shared/ids.ts'
import { merchantQuery } from '#shared/wire/api/fields.ts'
import { createdWebhookEndpoint, createWebhook, webhookEndpoint } from '#shared/wire/api/webhooks.ts'

export interface WebhookRouteDeps extends EndpointDeps {
  authorize: Authorize
}

/** @throws ServiceError webhook.not_found (404) for text that is no webhook's id */
function webhookIdOf(text: string): WebhookId {
  if (isId('we', text)) return text
  throw new ServiceError('webhook.not_found')
}

export function webhookRoutes(app: App, deps: WebhookRouteDeps): void {
  const access = 'webhooks:manage'
  const tag = 'Webhooks'
  const params = z.object({ webhookId: z.string() })

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
      const endpoint = await createEndpoint(deps, merchant, request.body)
      // The only answer that ever shows the secret: no cache may keep it.
      reply.code(201).header('location', `/v1/webhook/${endpoint.webhookId}`).header('cache-control', 'no-store')
      return reply.send(endpoint)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/webhooks',
    config: { access, doc: { operationId: 'listWebhooks', summary: 'List endpoints', tag } },
    schema: { querystring: merchantQuery, response: { 200: z.object({ data: z.array(webhookEndpoint) }) } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.query.merchantId)
      return reply.header('cache-control', 'no-store').send({ data: await listEndpoints(deps, merchant) })
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/webhook/:webhookId',
    config: {
      access,
      doc: { operationId: 'getWebhook', summary: 'Read an endpoint', tag, errors: ['webhook.not_found'] },
    },
    schema: { params, querystring: merchantQuery, response: { 200: webhookEndpoint } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.query.merchantId)
      const endpoint = await getEndpoint(deps, merchant, webhookIdOf(request.params.webhookId))
      return reply.header('cache-control', 'no-store').send(endpoint)
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/webhook/:webhookId',
    config: {
      access,
      doc: { operationId: 'deleteWebhook', summary: 'Delete an endpoint', tag, errors: ['webhook.not_found'] },
    },
    schema: { params, querystring: merchantQuery },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.query.merchantId)
      await deleteEndpoint(deps, merchant, webhookIdOf(request.params.webhookId))
      return reply.code(204).send()
    },
  })
}
