// /v1/webhook/{webhookId}/deliveries and /v1/webhook/delivery/{deliveryId}: deliveries with their outcome, and sending one again.
import { type App, principalOf } from '#cloud/api/app.ts'
import { type AnswerOnceDeps, answerOnce } from '#cloud/api/idempotency.ts'
import type { Authorize } from '#cloud/auth/authorize.ts'
import {
  type DeliveryDeps,
  getDelivery,
  listDeliveries,
  recoverEndpoint,
  redeliver,
} from '#cloud/webhooks/deliveries.ts'
import { ServiceError } from '#shared/errors.ts'
import { type DeliveryId, isId } from '#shared/ids.ts'
import { merchantBody, merchantQuery } from '#shared/wire/api/fields.ts'
import {
  deliveriesPage,
  deliveriesQuery,
  delivery,
  deliveryDetail,
  deliveryParams,
  recoverResult,
  recoverWebhook,
  webhookParams,
} from '#shared/wire/api/webhooks.ts'
import { webhookIdOf } from './webhook-routes.ts'

export interface WebhookDeliveryRouteDeps extends DeliveryDeps, AnswerOnceDeps {
  authorize: Authorize
}

/** @throws ServiceError webhook.delivery_not_found (404) for text that is no delivery's id */
function deliveryIdOf(text: string): DeliveryId {
  if (isId('dlv', text)) return text
  throw new ServiceError('webhook.delivery_not_found')
}

const access = 'webhooks:manage'
const tag = 'Webhooks'

export function webhookDeliveryRoutes(app: App, deps: WebhookDeliveryRouteDeps): void {
  ofEndpoint(app, deps)
  ofDelivery(app, deps)
}

function ofEndpoint(app: App, deps: WebhookDeliveryRouteDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/webhook/:webhookId/deliveries',
    config: {
      access,
      doc: {
        operationId: 'listDeliveries',
        summary: 'List deliveries to an endpoint, newest first',
        tag,
        errors: ['webhook.not_found'],
      },
    },
    schema: { params: webhookParams, querystring: deliveriesQuery, response: { 200: deliveriesPage } },
    handler: async (request, reply) => {
      const { merchantId, ...query } = request.query
      const merchant = await deps.authorize(principalOf(request), merchantId)
      const page = await listDeliveries(deps, merchant, { webhookId: webhookIdOf(request.params.webhookId), ...query })
      return reply.header('cache-control', 'no-store').send(page)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/webhook/:webhookId/recover',
    config: {
      access,
      doc: {
        operationId: 'recoverWebhook',
        summary: 'Send again everything that failed in a span of time',
        tag,
        errors: ['webhook.not_found', 'webhook.disabled'],
      },
    },
    schema: { params: webhookParams, body: recoverWebhook, response: { 202: recoverResult } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.body.merchantId)
      const webhookId = webhookIdOf(request.params.webhookId)
      return answerOnce(deps, (tx) => recoverEndpoint(tx, deps, { merchant, webhookId, ...request.body }), {
        request,
        reply,
        status: 202,
      })
    },
  })
}

function ofDelivery(app: App, deps: WebhookDeliveryRouteDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/webhook/delivery/:deliveryId',
    config: {
      access,
      doc: {
        operationId: 'getDelivery',
        summary: 'Read a delivery with its attempts and its event',
        tag,
        errors: ['webhook.delivery_not_found'],
      },
    },
    schema: { params: deliveryParams, querystring: merchantQuery, response: { 200: deliveryDetail } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.query.merchantId)
      const found = await getDelivery(deps, merchant, deliveryIdOf(request.params.deliveryId))
      return reply.header('cache-control', 'no-store').send(found)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/webhook/delivery/:deliveryId/redeliver',
    config: {
      access,
      doc: {
        operationId: 'redeliver',
        summary: 'Make one more attempt; the schedule goes on as it was',
        tag,
        errors: ['webhook.delivery_not_found'],
      },
    },
    schema: { params: deliveryParams, body: merchantBody, response: { 200: delivery } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.body.merchantId)
      const deliveryId = deliveryIdOf(request.params.deliveryId)
      return answerOnce(deps, (tx) => redeliver(tx, deps, { merchant, deliveryId }), { request, reply })
    },
  })
}
