// /v1/channels: the ordering platforms that the merchant is connected to.
import { type App, principalOf } from '#cloud/api/app.ts'
import type { Authorize } from '#cloud/auth/authorize.ts'
import { listChannels } from '#cloud/catalog/channels.ts'
import type { ChannelStore } from '#cloud/storage/channel-store.ts'
import { channelsList } from '#shared/wire/api/catalog.ts'
import { merchantQuery } from '#shared/wire/api/fields.ts'

export function channelRoutes(app: App, deps: { authorize: Authorize; channels: ChannelStore }): void {
  app.route({
    method: 'GET',
    url: '/v1/channels',
    config: {
      access: 'menu:read',
      doc: { operationId: 'listChannels', summary: 'List connected platforms', tag: 'Menu' },
    },
    schema: { querystring: merchantQuery, response: { 200: channelsList } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.query.merchantId)
      return reply.header('cache-control', 'no-store').send({ data: await listChannels(deps, merchant) })
    },
  })
}
