// /v1/skus and /v1/sku/{umsId}: the merchant's items, on which channels they are silenced, and how many are left.

import { type App, principalOf } from '#cloud/api/app.ts'
import { type AnswerOnceDeps, answerOnce } from '#cloud/api/idempotency.ts'
import type { Authorize } from '#cloud/auth/authorize.ts'
import { getSku, listSkus } from '#cloud/catalog/list-skus.ts'
import { restoreSku, type SkuDeps, setStock, silenceSku } from '#cloud/catalog/silence-sku.ts'
import * as api from '#shared/wire/api/catalog.ts'
import { merchantQuery } from '#shared/wire/api/fields.ts'

export type SkuRouteDeps = SkuDeps & AnswerOnceDeps & { authorize: Authorize }

export function skuRoutes(app: App, deps: SkuRouteDeps): void {
  readRoutes(app, deps)
  silenceRoutes(app, deps)
  stockRoute(app, deps)
}

function readRoutes(app: App, deps: SkuRouteDeps): void {
  const access = 'menu:read'
  const tag = 'Menu'

  app.route({
    method: 'GET',
    url: '/v1/skus',
    config: { access, doc: { operationId: 'listSkus', summary: 'List items', tag, errors: ['channel.unknown'] } },
    schema: { querystring: api.skusQuery, response: { 200: api.skusPage } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.query.merchantId)
      return reply
        .header('cache-control', 'no-store')
        .send(await listSkus(deps, merchant, { ...request.query, order: 'umsId' }))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/sku/:umsId',
    config: { access, doc: { operationId: 'getSku', summary: 'Read an item', tag, errors: ['ums.not_found'] } },
    schema: { params: api.skuParams, querystring: merchantQuery, response: { 200: api.skuResource } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.query.merchantId)
      return reply.header('cache-control', 'no-store').send(await getSku(deps, merchant, request.params.umsId))
    },
  })
}

function silenceRoutes(app: App, deps: SkuRouteDeps): void {
  const access = 'menu:write'
  const tag = 'Menu'
  const errors = ['ums.not_found', 'channel.unknown'] as const

  app.route({
    method: 'POST',
    url: '/v1/sku/:umsId/silence',
    config: { access, doc: { operationId: 'silenceSku', summary: 'Silence an item on its channels', tag, errors } },
    schema: { params: api.skuParams, body: api.silenceSku, response: { 200: api.skuResource } },
    handler: async (request, reply) => {
      const { params, body } = request
      const merchant = await deps.authorize(principalOf(request), body.merchantId)
      return answerOnce(deps, (tx) => silenceSku(tx, deps, { merchant, umsId: params.umsId, ...body }), {
        request,
        reply,
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/sku/:umsId/restore',
    config: { access, doc: { operationId: 'restoreSku', summary: 'Restore an item on its channels', tag, errors } },
    schema: { params: api.skuParams, body: api.restoreSku, response: { 200: api.skuResource } },
    handler: async (request, reply) => {
      const { params, body } = request
      const merchant = await deps.authorize(principalOf(request), body.merchantId)
      return answerOnce(deps, (tx) => restoreSku(tx, deps, { merchant, umsId: params.umsId, ...body }), {
        request,
        reply,
      })
    },
  })
}

function stockRoute(app: App, deps: SkuRouteDeps): void {
  app.route({
    method: 'PUT',
    url: '/v1/sku/:umsId/stock',
    config: {
      access: 'menu:write',
      doc: {
        operationId: 'setStock',
        summary: 'Set how many pieces of an item are left',
        tag: 'Menu',
        errors: ['ums.not_found'],
      },
    },
    schema: { params: api.skuParams, body: api.setStock, response: { 200: api.skuResource } },
    handler: async (request, reply) => {
      const { params, body } = request
      const merchant = await deps.authorize(principalOf(request), body.merchantId)
      const effect = await deps.db.unit((tx) => setStock(tx, deps, { merchant, umsId: params.umsId, ...body }))
      effect.wake?.()
      return reply.header('cache-control', 'no-store').send(effect.answer)
    },
  })
}
