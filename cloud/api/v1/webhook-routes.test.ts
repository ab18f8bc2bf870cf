// The webhook routes over HTTP: answers in the shape of the contract, scope and merchant checked, nothing of others shown.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EndpointStore } from '#cloud/storage/endpoint-store.ts'
import { IdempotencyStore } from '#cloud/storage/idempotency-store.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { TargetGuard } from '#cloud/webhooks/target-guard.ts'
import { errorBody } from '#shared/wire/api/errors.ts'
import { createdWebhookEndpoint, webhookEndpoint } from '#shared/wire/api/webhooks.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { webhookRoutes } from './webhook-routes.ts'

let api: RelayApi
beforeEach(async () => {
  api = await RelayApi.open({
    routes: (app, { stores, db, authorize }) => {
      webhookRoutes(app, {
        ...stores,
        authorize,
        endpoints: new EndpointStore(db),
        idempotency: new IdempotencyStore(db),
        secretBox: new SecretBox(Buffer.alloc(32, 1)),
        guard: new TargetGuard({ allowCidrs: ['127.0.0.0/8'] }),
      })
    },
  })
})
afterEach(() => api.close())

const merchantId = 'M-TEST-001'
const create = (change: object = {}) =>
  api.call('POST', '/v1/webhooks', { body: { merchantId, url: 'http://127.0.0.1:9/hook', ...change } })

describe('POST /v1/webhooks', () => {
  it('answers 201 with Location and the secret, for all nine events by default', async () => {
    const answer = await create()
    expect(answer.status).toBe(201)
    const created = createdWebhookEndpoint.strict().parse(answer.body)
    expect(created).toMatchObject({ merchantId, events: ['*'], status: 'enabled', description: null })
    expect(answer.headers['location']).toBe(`/v1/webhook/${created.webhookId}`)
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('refuses a URL that cannot be used, in the shape of all errors', async () => {
    const answer = await create({ url: 'http://169.254.169.254/latest/meta-data' })
    expect(answer.status).toBe(422)
    expect(errorBody.parse(answer.body)).toMatchObject({ code: 'webhook.invalid_url', errors: [{ field: 'url' }] })
  })

  it('refuses unknown events, and names the field', async () => {
    const answer = await create({ events: ['order.eaten'] })
    expect(answer.status).toBe(422)
    expect(errorBody.parse(answer.body)).toMatchObject({ code: 'request.invalid', errors: [{ field: 'events[0]' }] })
  })

  it('refuses the twenty-first', async () => {
    for (let i = 0; i < 20; i++) expect((await create()).status).toBe(201)
    const answer = await create()
    expect([answer.status, answer.body.code]).toEqual([409, 'webhook.limit_reached'])
  })

  it('never logs the secret', async () => {
    const { secret } = (await create()).body
    expect(api.logLines.join('\n')).not.toContain(secret.slice(6, 30))
  })
})

describe('GET and DELETE', () => {
  it('list and show endpoints without their secret', async () => {
    const { secret: _, ...endpoint } = (await create({ description: 'screen' })).body
    const list = await api.call('GET', `/v1/webhooks?merchantId=${merchantId}`)
    expect([list.status, list.body]).toEqual([200, { data: [endpoint] }])
    const one = await api.call('GET', `/v1/webhook/${endpoint.webhookId}?merchantId=${merchantId}`)
    expect(one.status).toBe(200)
    expect(webhookEndpoint.strict().parse(one.body)).toEqual(endpoint)
  })

  it('delete with 204; then there is nothing', async () => {
    const { webhookId } = (await create()).body
    const path = `/v1/webhook/${webhookId}?merchantId=${merchantId}`
    const deleted = await api.call('DELETE', path)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    for (const method of ['GET', 'DELETE'] as const) {
      const answer = await api.call(method, path)
      expect([answer.status, answer.body.code]).toEqual([404, 'webhook.not_found'])
    }
  })

  it('want the merchant', async () => {
    const answer = await api.call('GET', '/v1/webhooks')
    expect([answer.status, answer.body.code]).toEqual([422, 'request.invalid'])
  })

  it('know nothing of an endpoint of another merchant', async () => {
    const { webhookId } = (await create()).body
    const other = await api.call('GET', `/v1/webhook/${webhookId}?merchantId=M-TEST-002`)
    expect(other.status).toBe(404)
    expect(['webhook.not_found', 'merchant.not_found']).toContain(other.body.code)
  })

  it('want a key with the scope webhooks:manage', async () => {
    const without = await api.call('GET', `/v1/webhooks?merchantId=${merchantId}`, { key: null })
    expect([without.status, without.body.code]).toEqual([401, 'auth.missing_token'])
    await api.db.unit((tx) => tx.updateTable('api_keys').set({ scopes: '["orders:write"]' }).execute())
    const answer = await create()
    expect([answer.status, answer.body.code]).toEqual([403, 'auth.insufficient_scope'])
  })
})
