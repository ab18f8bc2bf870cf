// /v1/orders and /v1/order/{serviceOrderId}/...: list, void, refund, and the sandbox's advance by hand.
import { type App, principalOf } from '#cloud/api/app.ts'
import { type AnswerOnceDeps, answerOnce } from '#cloud/api/idempotency.ts'
import type { Authorize } from '#cloud/auth/authorize.ts'
import { advanceByHand } from '#cloud/orders/advance-by-hand.ts'
import type { AdvanceDeps } from '#cloud/orders/advance-order.ts'
import { type FireDeps, fireCourse } from '#cloud/orders/fire-course.ts'
import { listOrders, type ReadDeps } from '#cloud/orders/list-orders.ts'
import { type RefundDeps, refundOrder } from '#cloud/orders/refund-order.ts'
import { type VoidDeps, voidOrder } from '#cloud/orders/void-order.ts'
import {
  advanceOrder,
  fireCourse as fireCourseSchema,
  fireResult,
  orderParams,
  orderResource,
  ordersPage,
  ordersQuery,
  refundOrder as refundOrderSchema,
  refundResult,
  voidOrder as voidOrderSchema,
  voidResult,
} from '#shared/wire/api/orders.ts'

export interface OrderActionDeps extends AnswerOnceDeps, ReadDeps, VoidDeps, RefundDeps, FireDeps, AdvanceDeps {
  authorize: Authorize
}

export function orderActionRoutes(app: App, deps: OrderActionDeps): void {
  listRoute(app, deps)
  fireRoute(app, deps)

  app.route({
    method: 'POST',
    url: '/v1/order/:serviceOrderId/void',
    config: {
      access: 'orders:write',
      doc: {
        operationId: 'voidOrder',
        summary: 'Void an order that is not fulfilled',
        tag: 'Orders',
        errors: ['order.not_found', 'order.not_voidable', 'request.idempotency_mismatch'],
      },
    },
    schema: { params: orderParams, body: voidOrderSchema, response: { 200: voidResult } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.body.merchantId)
      const { serviceOrderId } = request.params
      return answerOnce(deps, (tx) => voidOrder(tx, deps, { ...request.body, merchant, serviceOrderId }), {
        request,
        reply,
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/order/:serviceOrderId/refund',
    config: {
      access: 'orders:write',
      doc: {
        operationId: 'refundOrder',
        summary: 'Refund a completed order, in whole or in part',
        tag: 'Orders',
        errors: [
          'order.not_found',
          'order.not_refundable',
          'order.refund_exceeds_balance',
          'request.idempotency_mismatch',
        ],
      },
    },
    schema: { params: orderParams, body: refundOrderSchema, response: { 200: refundResult } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.body.merchantId)
      const { serviceOrderId } = request.params
      return answerOnce(deps, (tx) => refundOrder(tx, deps, { ...request.body, merchant, serviceOrderId }), {
        request,
        reply,
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/test/order/:serviceOrderId/advance',
    config: {
      access: 'orders:write',
      sandboxOnly: true,
      doc: {
        operationId: 'advanceOrder',
        summary: 'Move a sandbox order on by hand',
        tag: 'Sandbox',
        errors: ['order.not_found', 'order.invalid_transition', 'request.idempotency_mismatch'],
      },
    },
    schema: { params: orderParams, body: advanceOrder, response: { 200: orderResource } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.body.merchantId)
      const { serviceOrderId } = request.params
      return answerOnce(deps, (tx) => advanceByHand(tx, deps, { merchant, serviceOrderId, ...request.body }), {
        request,
        reply,
      })
    },
  })
}

function listRoute(app: App, deps: OrderActionDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/orders',
    config: {
      access: 'orders:read',
      doc: { operationId: 'listOrders', summary: 'List orders, newest first', tag: 'Orders' },
    },
    schema: { querystring: ordersQuery, response: { 200: ordersPage } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.query.merchantId)
      return reply.header('cache-control', 'no-store').send(await listOrders(deps, merchant, request.query))
    },
  })
}

function fireRoute(app: App, deps: OrderActionDeps): void {
  app.route({
    method: 'POST',
    url: '/v1/order/:serviceOrderId/fire',
    config: {
      access: 'orders:write',
      doc: {
        operationId: 'fireCourse',
        summary: 'Fire a course that the kitchen holds',
        tag: 'Orders',
        errors: [
          'order.not_found',
          'order.invalid_transition',
          'printer.no_route',
          'printer.offline',
          'request.idempotency_mismatch',
        ],
      },
    },
    schema: { params: orderParams, body: fireCourseSchema, response: { 200: fireResult } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.body.merchantId)
      const { serviceOrderId } = request.params
      return answerOnce(deps, (tx) => fireCourse(tx, deps, { ...request.body, merchant, serviceOrderId }), {
        request,
        reply,
      })
    },
  })
}
