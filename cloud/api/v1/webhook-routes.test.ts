// The webhook routes over HTTP: answers in the shape of the contract, scope and merchant checked, nothing of others shown.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { errorBody } from '#shared/wire/api/errors.ts'
import { createdWebhookEndpoint, rotatedSecret, webhookEndpoint } from '#shared/wire/api/webhooks.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { registerWebhookRoutes } from '#test/fixtures/webhook-routes.ts'

let api: RelayApi
/** The name server's records. */
let names: Map<string, string>
beforeEach(async () => {
  names = new Map([['hooks.example.test', '127.0.0.1']])
  const resolve = async (name: string) => [{ address: names.get(name) ?? '', family: 4 }]
  api = await RelayApi.open({ routes: (app, it) => void registerWebhookRoutes(app, it, resolve) })
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

  it('require the merchant', async () => {
    const answer = await api.call('GET', '/v1/webhooks')
    expect([answer.status, answer.body.code]).toEqual([422, 'request.invalid'])
  })

  it('reveal nothing of an endpoint of another merchant', async () => {
    const { webhookId } = (await create()).body
    const other = await api.call('GET', `/v1/webhook/${webhookId}?merchantId=M-TEST-002`)
    expect(other.status).toBe(404)
    expect(['webhook.not_found', 'merchant.not_found']).toContain(other.body.code)
  })

  it('require a key with the scope webhooks:manage', async () => {
    const without = await api.call('GET', `/v1/webhooks?merchantId=${merchantId}`, { key: null })
    expect([without.status, without.body.code]).toEqual([401, 'auth.missing_token'])
    await api.db.unit((tx) => tx.updateTable('api_keys').set({ scopes: '["orders:write"]' }).execute())
    const answer = await create()
    expect([answer.status, answer.body.code]).toEqual([403, 'auth.insufficient_scope'])
  })
})

describe('PATCH', () => {
  const patch = (webhookId: string, change: object) =>
    api.call('PATCH', `/v1/webhook/${webhookId}`, { body: { merchantId, ...change } })

  it('changes what it names and answers the endpoint', async () => {
    const { secret: _, ...endpoint } = (await create()).body
    const changed = await patch(endpoint.webhookId, { status: 'disabled', events: ['order.ready'] })
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...endpoint, status: 'disabled', disabledReason: 'owner', events: ['order.ready'] },
    ])
    expect((await patch(endpoint.webhookId, { status: 'enabled' })).body).toMatchObject({ disabledReason: null })
  })

  it('refuses a URL that cannot be used, and a field that does not exist', async () => {
    const { webhookId } = (await create()).body
    const blocked = await patch(webhookId, { url: 'http://10.0.0.1/' })
    expect([blocked.status, blocked.body.code]).toEqual([422, 'webhook.invalid_url'])
    const unknown = await patch(webhookId, { secret: 'whsec_mine' })
    expect([unknown.status, unknown.body.errors[0].field]).toEqual([422, 'secret'])
  })

  it('return not found before they check the URL', async () => {
    const answer = await patch('we_00000000000000000000000000', { url: 'http://10.0.0.1/' })
    expect([answer.status, answer.body.code]).toEqual([404, 'webhook.not_found'])
  })
})

describe('secrets', () => {
  it('are rotated, and a repeated call under the same key shows the same new one', async () => {
    const { webhookId, secret: old } = (await create()).body
    const call = () =>
      api.call('POST', `/v1/webhook/${webhookId}/rotate-secret`, {
        body: { merchantId },
        headers: { 'idempotency-key': 'rotate-1' },
      })
    const first = await call()
    expect(rotatedSecret.strict().parse(first.body)).toMatchObject({ webhookId })
    expect(first.body.secret).not.toBe(old)
    expect(first.headers['cache-control']).toBe('no-store')
    const second = await call()
    expect([second.text, second.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
  })

  it('are not stored unencrypted in the database, also not in a stored answer', async () => {
    const created = await api.call('POST', '/v1/webhooks', {
      body: { merchantId, url: 'http://127.0.0.1:9/hook' },
      headers: { 'idempotency-key': 'create-1' },
    })
    const rows = await api.db.read.selectFrom('idempotency').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(created.body.secret)
  })

  it('are returned again under the key also when the host of the URL could not be registered any more', async () => {
    const call = () =>
      api.call('POST', '/v1/webhooks', {
        body: { merchantId, url: 'http://hooks.example.test/' },
        headers: { 'idempotency-key': 'create-1' },
      })
    const first = await call()
    names.set('hooks.example.test', '10.0.0.7')
    const second = await call()
    expect([second.status, second.text]).toEqual([201, first.text])
    const fresh = await create({ url: 'http://hooks.example.test/' })
    expect(fresh.body.code).toBe('webhook.invalid_url')
  })

  it('are created once under an Idempotency-Key', async () => {
    const call = () =>
      api.call('POST', '/v1/webhooks', {
        body: { merchantId, url: 'http://127.0.0.1:9/hook' },
        headers: { 'idempotency-key': 'create-1' },
      })
    const [first, second] = [await call(), await call()]
    expect([second.status, second.text]).toEqual([201, first.text])
    expect(second.headers['location']).toBe(first.headers['location'])
    expect((await api.call('GET', `/v1/webhooks?merchantId=${merchantId}`)).body.data).toHaveLength(1)
  })
})
