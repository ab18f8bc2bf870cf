// /v1/merchants, /v1/usage and /v1/keys/revoke: what a key may ask about its own account. None of them names a merchant.
import { type App, principalOf } from '#cloud/api/app.ts'
import { type AnswerOnceDeps, answerOnce } from '#cloud/api/idempotency.ts'
import type { Authorize } from '#cloud/auth/authorize.ts'
import { revokeApiKey } from '#cloud/auth/revoke-key.ts'
import { parseScopes } from '#cloud/auth/scopes.ts'
import { type UsageReportDeps, usageReport } from '#cloud/billing/usage-report.ts'
import type { AccountStore } from '#cloud/storage/account-store.ts'
import type { ApiKeyStore } from '#cloud/storage/api-key-store.ts'
import { ListCursors } from '#cloud/storage/cursor.ts'
import type { ListedMerchant, MerchantListStore } from '#cloud/storage/merchant-list-store.ts'
import { isoOrNull, toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import {
  type MerchantResource,
  merchantsPage,
  merchantsQuery,
  ownKey,
  revokedKey,
  revokeKey,
  usage,
  usageQuery,
} from '#shared/wire/api/account.ts'

export interface AccountRouteDeps extends AnswerOnceDeps, UsageReportDeps {
  authorize: Authorize
  accounts: AccountStore
  apiKeys: ApiKeyStore
  merchantList: MerchantListStore
}

export function accountRoutes(app: App, deps: AccountRouteDeps): void {
  const access = 'any-key'
  const tag = 'Account'

  app.route({
    method: 'GET',
    url: '/v1/merchants',
    config: { access, doc: { operationId: 'listMerchants', summary: 'List the merchants this key may act on', tag } },
    schema: { querystring: merchantsQuery, response: { 200: merchantsPage } },
    handler: async (request, reply) => {
      const { accountId, environment } = principalOf(request)
      const { merchantId, limit, cursor } = request.query
      if (merchantId !== undefined) await deps.authorize(principalOf(request), merchantId)
      const cursors = new ListCursors({ list: 'merchants', of: [accountId, environment], filters: { merchantId } })
      const listed = await deps.merchantList.page(accountId, environment, { limit, after: cursors.decode(cursor) })
      const page = cursors.page(listed, limit, ({ row }) => ({ at: row.created_at, id: row.id }))
      const answer = { data: page.rows.map(merchantResource), nextCursor: page.nextCursor }
      return reply.header('cache-control', 'no-store').send(answer)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/usage',
    config: { access, doc: { operationId: 'getUsage', summary: 'Calls and cost of a month', tag } },
    schema: { querystring: usageQuery, response: { 200: usage } },
    handler: async (request, reply) => {
      const { accountId, environment } = principalOf(request)
      const { merchantId, month } = request.query
      if (merchantId !== undefined) await deps.authorize(principalOf(request), merchantId)
      const report = await usageReport(deps, { accountId, environment, month })
      return reply.header('cache-control', 'no-store').send(report)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/key',
    config: { access, doc: { operationId: 'getKey', summary: 'Read what the calling key is', tag } },
    schema: { response: { 200: ownKey } },
    handler: async (request, reply) => {
      const { accountId, keyId } = principalOf(request)
      const key = (await deps.apiKeys.ofAccount(accountId)).find(({ id }) => id === keyId)
      const account = await deps.accounts.find(accountId)
      if (key === undefined || account === null) throw new ServiceError('auth.invalid_token')
      return reply.header('cache-control', 'no-store').send({
        ...{ keyId, name: key.name, account: { accountId, name: account.name }, environment: key.environment },
        scopes: [...parseScopes(key.scopes)],
        ...{ createdAt: toIso(key.created_at), expiresAt: isoOrNull(key.expires_at) },
      })
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/keys/revoke',
    config: {
      access,
      bodyOptional: true,
      doc: {
        operationId: 'revokeKey',
        summary: 'End the calling key, or another one of the account by its full text',
        tag,
        errors: ['key.not_found'],
      },
    },
    schema: { body: revokeKey, response: { 200: revokedKey } },
    handler: async (request, reply) => {
      const principal = principalOf(request)
      const { merchantId } = request.body
      if (merchantId !== undefined) await deps.authorize(principal, merchantId)
      return answerOnce(deps, (tx) => revokeApiKey(tx, deps, { principal, body: request.body }), { request, reply })
    },
  })
}

function merchantResource({ row, locations, channels }: ListedMerchant): MerchantResource {
  return {
    merchantId: row.public_id,
    name: row.name,
    environment: row.environment,
    timezone: row.time_zone,
    currency: row.currency,
    locations,
    channels: channels.map(({ channel_id: channelId, platform, name, status }) => ({
      channelId,
      platform,
      name,
      status,
    })),
    prepMinutes: row.prep_minutes,
    features: { autoSilence: row.auto_silence === 1, pos: row.pos },
  }
}
