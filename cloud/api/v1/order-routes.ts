// Walk 1/10: comes from a client, goes on to cloud/orders/inject-order.ts. POST /v1/order/inject and /v1/order/check, GET /v1/order/{serviceOrderId}.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type App, principalOf } from '#cloud/api/app.ts'
import { keyOfInject } from '#cloud/api/idempotency.ts'
import type { Authorize } from '#cloud/auth/authorize.ts'
import { checkOrder } from '#cloud/orders/check-order.ts'
import { type InjectDeps, injectOrder } from '#cloud/orders/inject-order.ts'
import { getOrder } from '#cloud/orders/list-orders.ts'
import type { OrderTraces } from '#cloud/orders/order-traces.ts'
import type { IdempotencyStore } from '#cloud/storage/idempotency-store.ts'
import type { OrderStore } from '#cloud/storage/order-store.ts'
import { ServiceError } from '#shared/errors.ts'
import { logWalk } from '#shared/log.ts'
import { merchantQuery } from '#shared/wire/api/fields.ts'
import {
  type InjectOrder,
  injectOrder as injectOrderSchema,
  orderCheck,
  orderParams,
  orderResource,
  orderResult,
} from '#shared/wire/api/orders.ts'

/** What inject and check refuse alike. */
const ORDER_REFUSALS = [
  'order.duplicate_id',
  'order.total_mismatch',
  'order.fire_at_out_of_range',
  'ums.unknown_item',
  'ums.item_silenced',
  'location.unknown',
] as const

/** Key, scope, body and schema were checked on the way here (cloud/api/server.ts); the merchant is checked first. */
async function inject(deps: OrderRouteDeps, request: InjectRequest, reply: FastifyReply): Promise<void> {
  const merchant = await deps.authorize(principalOf(request), request.body.merchantId)
  const beside = await keyOfInject(deps, request)
  const trace = deps.traces?.begin(request.headers['traceparent'], request.arrivedMs) ?? null
  const traceparent = trace?.traceparent ?? null
  const outcome = await injectOrder(deps, merchant, { body: request.body, traceparent, beside }).catch(
    (error: unknown) => {
      trace?.failed()
      throw error
    },
  )
  const { serviceOrderId, result } = outcome
  const printJobId = outcome.printJobId ?? undefined
  const ms = deps.clock.monotonicMs() - request.arrivedMs
  logWalk(
    deps.log,
    {
      walk: '1/10',
      serviceOrderId,
      printJobId,
      traceparent: traceparent ?? undefined,
      ms,
      requestId: request.id,
      outcome: outcome.kind,
    },
    'an order came in',
  )
  if (outcome.kind === 'printer-offline') {
    throw new ServiceError('printer.offline', { extra: { order: JSON.parse(result) as unknown } })
  }
  if (outcome.kind === 'replayed') reply.header('idempotent-replayed', 'true')
  // Text, not an object: a replay gives the very bytes of the first answer.
  reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send(result)
}

type InjectRequest = Pick<FastifyRequest, 'principal' | 'arrivedMs' | 'id' | 'headers' | 'url'> & { body: InjectOrder }

export interface OrderRouteDeps extends InjectDeps {
  idempotency: IdempotencyStore
  authorize: Authorize
  orders: OrderStore
  /** Orders are not traced if absent. */
  traces?: Pick<OrderTraces, 'begin'> | undefined
}

export function orderRoutes(app: App, deps: OrderRouteDeps): void {
  checkRoute(app, deps)

  app.route({
    method: 'POST',
    url: '/v1/order/inject',
    config: {
      access: 'orders:write',
      isRepeat: async ({ principal, body }) => {
        const { merchantId, orderId } = body as InjectOrder
        const merchant = await deps.authorize(principalOf({ principal }), merchantId)
        return (await deps.orders.first(merchant, orderId)) !== null
      },
      doc: {
        operationId: 'injectOrder',
        summary: 'Inject an order',
        tag: 'Orders',
        errors: [...ORDER_REFUSALS, 'printer.offline', 'request.idempotency_mismatch'],
      },
    },
    schema: { body: injectOrderSchema, response: { 200: orderResult } },
    handler: async (request, reply) => {
      await inject(deps, request, reply)
      return reply
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/order/:serviceOrderId',
    config: {
      access: 'orders:read',
      doc: { operationId: 'getOrder', summary: 'Read an order', tag: 'Orders', errors: ['order.not_found'] },
    },
    schema: {
      params: orderParams,
      querystring: merchantQuery,
      response: { 200: orderResource },
    },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.query.merchantId)
      const order = await getOrder(deps, merchant, request.params.serviceOrderId)
      return reply.header('cache-control', 'no-store').send(order)
    },
  })
}

function checkRoute(app: App, deps: OrderRouteDeps): void {
  app.route({
    method: 'POST',
    url: '/v1/order/check',
    config: {
      access: 'orders:read',
      doc: {
        operationId: 'checkOrder',
        summary: 'Check an order without sending it',
        tag: 'Orders',
        errors: ORDER_REFUSALS,
        // It changes nothing, so a repetition needs no recognition.
        takesNoIdempotencyKey: true,
      },
    },
    schema: { body: injectOrderSchema, response: { 200: orderCheck } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.body.merchantId)
      return reply.header('cache-control', 'no-store').send(await checkOrder(deps, merchant, request.body))
    },
  })
}
