// The routes of listeners: whose they are, what live events need, and what they cost.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RateLimits } from '#cloud/api/rate-limit.ts'
import { issueApiKey } from '#cloud/auth/accounts.ts'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { ListenerDesk } from '#cloud/webhooks/listener-desk.ts'
import { newId, type WebhookId } from '#shared/ids.ts'
import { createdListener, recordedResult } from '#shared/wire/api/listeners.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { registerWebhookRoutes } from '#test/fixtures/webhook-routes.ts'
import { listenerRoutes } from './listener-routes.ts'

let api: RelayApi
let counted: string[]
beforeEach(async () => {
  counted = []
  api = await RelayApi.open({
    server: ({ clock }) => ({
      meter: { count: ({ status }) => void counted.push(String(status)) },
      rateLimits: new RateLimits({ clock }),
    }),
    routes: (app, it) => {
      const deps = registerWebhookRoutes(app, it)
      listenerRoutes(app, { ...deps, desk: new ListenerDesk({ ...deps, isAlone: true }) })
    },
  })
})
afterEach(() => api.close())

const merchantId = 'M-TEST-001'
const create = (body: object = {}) => api.call('POST', '/v1/webhook/listener', { body: { merchantId, ...body } })
const resultPath = (webhookId: string) => `/v1/webhook/${webhookId}/result`
const result = (change: object = {}) => ({
  deliveryId: 'dlv_01kaj2vq9be3s9vd2m4xw7rbtq',
  number: 1,
  status: 204,
  ms: 1,
  ...change,
})

describe('POST /v1/webhook/listener', () => {
  it('answers 201 with Location and the listen secret, the same each time', async () => {
    const [first, second] = [await create({ label: 'laptop' }), await create()]
    expect(first.status).toBe(201)
    const created = createdListener.strict().parse(first.body)
    expect(first.headers['location']).toBe(`/v1/webhook/${created.webhookId}`)
    expect(created.secret).toMatch(/^whsec_/)
    expect(second.body.secret).toBe(created.secret)
    expect(Date.parse(created.expiresAt)).toBe(api.clock.now() + 15 * 60_000)
  })

  it('is listed with its kind, its label, and as not connected', async () => {
    const { webhookId, expiresAt } = (await create({ label: 'laptop' })).body
    const { data } = (await api.call('GET', `/v1/webhooks?merchantId=${merchantId}`)).body
    const listener = { connected: false, expiresAt, like: null }
    expect(data).toMatchObject([{ webhookId, kind: 'listener', url: 'listener:', description: 'laptop', listener }])
  })

  it('refuses the sixth, and a `like` that is none', async () => {
    const of = { accountId: api.account.accountId, environment: 'sandbox' as const }
    for (let n = 1; n <= 5; n++) {
      const { webhookId } = (await create()).body
      const { endpointId } = (await api.stores.listeners.find(of, webhookId)) as { endpointId: WebhookId }
      await api.stores.listeners.openStream(endpointId, `stream ${n}`, api.clock.now())
    }
    const sixth = await create()
    expect([sixth.status, sixth.body.code]).toEqual([409, 'webhook.listener_limit'])
    const like = await create({ like: 'we_01kaj2t0m5f9y8kq3z6c1hjdwe' })
    expect([like.status, like.body.code, like.body.errors[0].field]).toEqual([404, 'webhook.not_found', 'like'])
  })

  it('gets no URL', async () => {
    const { webhookId } = (await create()).body
    const body = { merchantId, url: 'http://127.0.0.1:9/hook' }
    expect((await api.call('PATCH', `/v1/webhook/${webhookId}`, { body })).body.code).toBe('webhook.invalid_url')
  })
})

describe('a listener of another account', () => {
  it('does not exist: neither its stream nor its results', async () => {
    const { webhookId } = (await create()).body
    const { apiKey: key } = await createSandboxAccount(api, { name: 'Other' })
    for (const id of [webhookId, 'we_1', 'listener']) {
      const stream = await api.call('GET', `/v1/webhook/${id}/stream`, { key })
      expect([stream.status, stream.body.code]).toEqual([404, 'webhook.not_found'])
      const told = await api.call('POST', resultPath(id), { key, body: result() })
      expect([told.status, told.body.code]).toEqual([404, 'webhook.not_found'])
    }
  })

  it('does not exist for its own account when it is an endpoint with an address', async () => {
    const body = { merchantId, url: 'http://127.0.0.1:9/hook' }
    const { webhookId } = (await api.call('POST', '/v1/webhooks', { body })).body
    expect((await api.call('GET', `/v1/webhook/${webhookId}/stream`)).body.code).toBe('webhook.not_found')
  })
})

describe('live events', () => {
  const live = { merchantId: 'M-PROD-BISTRO' }
  let key: string
  beforeEach(async () => {
    const { accountId } = api.account
    await api.db.unit(async (tx) => {
      const merchant = {
        id: newId('mer', 1),
        account_id: accountId,
        public_id: live.merchantId,
        environment: 'live',
      } as const
      const rest = { name: 'Bistro', time_zone: 'UTC', prep_minutes: 15, fire_at_horizon_ms: 1, created_at: 1 }
      await tx
        .insertInto('merchants')
        .values({ ...merchant, ...rest })
        .execute()
      key = (await issueApiKey(tx, api.stores, { accountId, environment: 'live', scopes: ['webhooks:manage'] })).apiKey
    })
  })
  const allow = (is: boolean) =>
    api.db.unit((tx) => api.stores.accounts.change(tx, api.account.accountId, { live_listening: is ? 1 : 0 }))
  const listen = () => api.call('POST', '/v1/webhook/listener', { key, body: live })

  it('are listened to only while an owner allows it', async () => {
    const refused = await listen()
    expect([refused.status, refused.body.code]).toEqual([403, 'webhook.live_listening_off'])
    await allow(true)
    const { status, body } = await listen()
    expect(status).toBe(201)
    await allow(false)
    const stream = await api.call('GET', `/v1/webhook/${body.webhookId}/stream`, { key })
    expect([stream.status, stream.body.code]).toEqual([403, 'webhook.live_listening_off'])
  })

  it('are signed with another secret than those of the sandbox', async () => {
    await allow(true)
    expect((await listen()).body.secret).not.toBe((await create()).body.secret)
  })
})

describe('a result', () => {
  it.each([
    ['neither status nor error', { status: undefined }, 'status'],
    ['both', { error: 'timeout' }, 'status'],
    ['an error that no log has', { status: undefined, error: 'dog' }, 'error'],
    ['a control character in the id', { deliveryId: 'dlv_\u0000' }, 'deliveryId'],
    ['no id', { deliveryId: '' }, 'deliveryId'],
    ['no whole number', { number: 1.5 }, 'number'],
    ['a negative time', { ms: -1 }, 'ms'],
    ['an answer that is too long', { response: 'x'.repeat(4_097) }, 'response'],
    ['half of a character', { response: '\ud800' }, 'response'],
  ])('with %s is refused, and the field is named', async (_name, change, field) => {
    const { webhookId } = (await create()).body
    const answer = await api.call('POST', resultPath(webhookId), { body: result(change) })
    expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([422, field])
  })

  it('is neither metered nor taken from the account’s budget, and has one of its own', async () => {
    const { webhookId } = (await create()).body
    const left = (await create()).headers['x-ratelimit-remaining']
    counted = []
    const codes = new Set<string>()
    for (let n = 0; n < 1_201; n++)
      codes.add((await api.call('POST', resultPath(webhookId), { body: result() })).body.code)
    expect([...codes]).toEqual(['webhook.delivery_not_found', 'rate_limit.exceeded'])
    expect(counted).toEqual([])
    expect((await create()).headers['x-ratelimit-remaining']).toBe(String(Number(left) - 1))
  })

  it('of a delivery that was sent is recorded', async () => {
    const { webhookId } = (await create()).body
    const { deliveryId } = (
      await api.call('POST', `/v1/webhook/${webhookId}/test`, { body: { merchantId, type: 'order.ready' } })
    ).body
    const early = await api.call('POST', resultPath(webhookId), { body: result({ deliveryId }) })
    expect([early.status, early.body.code]).toEqual([409, 'webhook.result_unexpected'])
    await api.db.unit((tx) => tx.updateTable('deliveries').set({ counted: 1 }).where('id', '=', deliveryId).execute())
    // The server of the developer writes what it likes.
    const response = '<pre>\r\n\u001b[31mError\u001b[0m\u0000'
    const told = await api.call('POST', resultPath(webhookId), { body: result({ deliveryId, status: 503, response }) })
    expect(recordedResult.strict().parse(told.body)).toEqual({
      deliveryId,
      number: 1,
      state: 'failed',
      repeated: false,
    })
    const path = `/v1/webhook/delivery/${deliveryId}?merchantId=${merchantId}`
    expect((await api.call('GET', path)).body).toMatchObject({
      state: 'failed',
      attempts: [{ number: 1, status: 503 }],
    })
  })
})
