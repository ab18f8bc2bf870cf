// /v1/skus, /v1/sku/{umsId} and /v1/channels as a client meets them.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { issueApiKey } from '#cloud/auth/accounts.ts'
import type { Scope } from '#cloud/auth/scopes.ts'
import { connectChannel, mapChannelItem } from '#cloud/catalog/channels.ts'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { IdempotencyStore } from '#cloud/storage/idempotency-store.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { channelsList, skuResource, skusPage } from '#shared/wire/api/catalog.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { channelRoutes } from './channel-routes.ts'
import { skuRoutes } from './sku-routes.ts'

const secretBox = new SecretBox(Buffer.alloc(32, 3))
const MERCHANT = 'M-TEST-001'
const BURGER = 'UMS-BURGER-01'

let api: RelayApi
beforeEach(async () => {
  api = await RelayApi.open({
    clock: new ManualClock(),
    routes: (app, { stores, db, authorize }) => {
      const deps = { ...stores, authorize, secretBox, idempotency: new IdempotencyStore(db) }
      skuRoutes(app, deps)
      channelRoutes(app, deps)
    },
  })
})
afterEach(() => api.close())

const get = (path: string, key?: string) => api.call('GET', path, key === undefined ? {} : { key })
const post = (path: string, body: object = {}, options: { key?: string; headers?: Record<string, string> } = {}) =>
  api.call('POST', path, { body: { merchantId: MERCHANT, ...body }, ...options })
const put = (path: string, body: object) => api.call('PUT', path, { body: { merchantId: MERCHANT, ...body } })

async function channel(channelId: string, umsIds: readonly string[]): Promise<void> {
  const merchant = await api.stores.merchants.byKey(api.merchantKey)
  await api.db.unit(async (tx) => {
    const deps = { ...api.stores, secretBox }
    const names = { channelId, platform: channelId, name: channelId }
    await connectChannel(tx, deps, { merchant, channel: { ...names, connector: 'simulated' } })
    for (const umsId of umsIds) await mapChannelItem(tx, deps, { merchant, channelId, umsId, externalId: `x-${umsId}` })
  })
}

async function keyWith(scopes: readonly Scope[]): Promise<string> {
  const wanted = { accountId: api.account.accountId, environment: 'sandbox' as const, scopes }
  return (await api.db.unit((tx) => issueApiKey(tx, api.stores, wanted))).apiKey
}

/** The umsIds of all pages. */
async function all(query: string): Promise<string[]> {
  const found: string[] = []
  let cursor = ''
  for (;;) {
    const { status, body } = await get(`/v1/skus?merchantId=${MERCHANT}&${query}${cursor}`)
    expect(status).toBe(200)
    expect(skusPage.strict().parse(body)).toEqual(body)
    found.push(...body.data.map((sku: { umsId: string }) => sku.umsId))
    if (body.nextCursor === null) return found
    cursor = `&cursor=${body.nextCursor}`
  }
}

describe('GET /v1/skus', () => {
  test('walks through the whole menu in the order of umsId, page by page', async () => {
    const rows = api.db.read.selectFrom('catalog_items').select('ums_id').where('merchant_id', '=', api.merchantKey)
    const menu = (await rows.execute()).map((row) => row.ums_id).sort()
    expect(await all('limit=5')).toEqual(menu)
    expect(await all('limit=100')).toEqual(menu)
    expect(await all(`limit=${menu.length}`)).toEqual(menu)
  })

  test('finds a word in name and id, whatever its case and accents', async () => {
    expect(await all('q=BRÛLÉE')).toEqual(['UMS-BRULEE-01'])
    expect(await all('q=creme%20bru')).toEqual(['UMS-BRULEE-01'])
    expect(await all('q=burger-0')).toEqual([BURGER])
    expect(await all('q=100%25_')).toEqual([])
    expect((await all('q=o&limit=2')).length).toBeGreaterThan(4)
  })

  test('narrows to a channel and a state', async () => {
    await channel('uber', [BURGER, 'UMS-FRIES-01'])
    await post(`/v1/sku/${BURGER}/silence`, { channels: ['uber'] })
    await post('/v1/sku/UMS-SOUP-01/silence', { channels: ['direct'] })
    expect(await all('channelId=uber')).toEqual([BURGER, 'UMS-FRIES-01'])
    expect(await all('channelId=uber&state=silenced')).toEqual([BURGER])
    expect(await all('channelId=uber&state=live')).toEqual(['UMS-FRIES-01'])
    expect(await all('channelId=direct&state=silenced')).toEqual(['UMS-SOUP-01'])
    expect(await all('state=silenced&limit=1')).toEqual([BURGER, 'UMS-SOUP-01'])
    const live = await all('state=live')
    expect(live).not.toContain(BURGER)
    expect(live).toContain('UMS-FRIES-01')
    expect(await all('channelId=direct&state=live')).toContain(BURGER)
  })

  test('refuses an unknown channel and a cursor that is not ours', async () => {
    expect((await get(`/v1/skus?merchantId=${MERCHANT}&channelId=grubhub`)).body).toMatchObject({
      code: 'channel.unknown',
      errors: [{ field: 'channelId' }],
    })
    expect((await get(`/v1/skus?merchantId=${MERCHANT}&cursor=abc`)).body).toMatchObject({ code: 'request.invalid' })
  })
})

describe('/v1/sku/{umsId}', () => {
  test('reads an item with its channels', async () => {
    await channel('uber', [BURGER])
    const { status, body, headers } = await get(`/v1/sku/${BURGER}?merchantId=${MERCHANT}`)
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(skuResource.strict().parse(body)).toEqual(body)
    expect(body).toMatchObject({ umsId: BURGER, merchantId: MERCHANT, price: 12.5, prepMinutes: 10, station: 'grill' })
    expect(body.channels).toMatchObject([
      { channelId: 'direct', externalId: null },
      { channelId: 'uber', externalId: `x-${BURGER}` },
    ])
  })

  test('finds an item whose id has slashes, spaces and multi-byte characters', async () => {
    for (const umsId of ['A/B C?#%', 'é'.repeat(64), '🍔'.repeat(32)]) {
      const row = { merchant_id: api.merchantKey, ums_id: umsId, name: 'Odd', kind: 'item' as const }
      await api.db.unit((tx) => api.stores.catalog.put(tx, [row]))
      const path = `/v1/sku/${encodeURIComponent(umsId)}`
      expect((await get(`${path}?merchantId=${MERCHANT}`)).body.umsId).toBe(umsId)
      expect((await post(`${path}/silence`)).body).toMatchObject({ umsId, state: 'silenced' })
    }
  })

  test('answers 404 for what is no item of this merchant', async () => {
    for (const umsId of ['UMS-NONE', '%00', 'x'.repeat(120)]) {
      const { status, body } = await get(`/v1/sku/${umsId}?merchantId=${MERCHANT}`)
      expect([umsId, status]).toEqual([umsId, 404])
      expect(body.code).toMatch(/not_found$/)
    }
  })
})

describe('silence and restore', () => {
  test('stop orders of the item and let them in again', async () => {
    const silenced = await post(`/v1/sku/${BURGER}/silence`, { reason: 'no patties' })
    expect([silenced.status, silenced.body.state]).toEqual([200, 'silenced'])
    expect((await api.inject()).body).toMatchObject({
      code: 'ums.item_silenced',
      errors: [{ field: 'items[0].umsId', message: 'UMS-BURGER-01 (Smash Burger) is silenced' }],
    })
    expect((await post(`/v1/sku/${BURGER}/restore`)).body.state).toBe('live')
    expect((await api.inject()).status).toBe(200)
  })

  test('under an Idempotency-Key happen once, and give the same bytes again', async () => {
    const options = { headers: { 'idempotency-key': 'k-1' } }
    const first = await post(`/v1/sku/${BURGER}/silence`, {}, options)
    await post(`/v1/sku/${BURGER}/restore`)
    const again = await post(`/v1/sku/${BURGER}/silence`, {}, options)
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect((await get(`/v1/sku/${BURGER}?merchantId=${MERCHANT}`)).body.state).toBe('live')
    const other = await post(`/v1/sku/${BURGER}/silence`, { reason: 'else' }, options)
    expect(other.body.code).toBe('request.idempotency_mismatch')
  })

  test('name unknown items and channels, and an end that has passed', async () => {
    expect((await post('/v1/sku/UMS-NONE/silence')).body.code).toBe('ums.not_found')
    expect((await post('/v1/sku/UMS-NONE/restore')).body.code).toBe('ums.not_found')
    expect((await post(`/v1/sku/${BURGER}/restore`, { channels: ['grubhub'] })).body.code).toBe('channel.unknown')
    expect((await post(`/v1/sku/${BURGER}/silence`, { until: '2020-01-01T00:00:00Z' })).body).toMatchObject({
      code: 'request.invalid',
      errors: [{ field: 'until' }],
    })
    expect((await post(`/v1/sku/${BURGER}/silence`, { channels: [] })).body.code).toBe('request.invalid')
  })
})

describe('PUT /v1/sku/{umsId}/stock', () => {
  test('counts, and 0 stops orders', async () => {
    const set = await put(`/v1/sku/${BURGER}/stock`, { quantity: 20, lowThreshold: 3 })
    expect(set.body.stock).toEqual({ quantity: 20, lowThreshold: 3 })
    expect((await put(`/v1/sku/${BURGER}/stock`, { quantity: 0 })).body).toMatchObject({
      state: 'silenced',
      orderable: false,
    })
    expect((await api.inject()).body.code).toBe('ums.item_silenced')
    expect((await put(`/v1/sku/${BURGER}/stock`, { quantity: null })).body.orderable).toBe(true)
    expect((await put('/v1/sku/UMS-NONE/stock', { quantity: 1 })).body.code).toBe('ums.not_found')
  })

  test.each([{ quantity: -1 }, { quantity: 1.5 }, { quantity: '3' }, {}, { quantity: 1, lowThreshold: null }])(
    'refuses %j',
    async (body) => {
      expect((await put(`/v1/sku/${BURGER}/stock`, body)).status).toBe(422)
    },
  )

  test('an order for more than is left is refused with its field', async () => {
    await put(`/v1/sku/${BURGER}/stock`, { quantity: 1 })
    expect((await api.inject()).body).toMatchObject({
      code: 'ums.item_silenced',
      errors: [{ field: 'items[0].umsId', message: 'UMS-BURGER-01 (Smash Burger): 2 wanted, 1 left' }],
    })
  })
})

describe('permissions', () => {
  test('read needs menu:read, change needs menu:write', async () => {
    const reads = await keyWith(['menu:read'])
    const writes = await keyWith(['menu:write'])
    expect((await get(`/v1/skus?merchantId=${MERCHANT}`, reads)).status).toBe(200)
    expect((await get(`/v1/channels?merchantId=${MERCHANT}`, reads)).status).toBe(200)
    expect((await post(`/v1/sku/${BURGER}/silence`, {}, { key: reads })).body.code).toBe('auth.insufficient_scope')
    expect((await get(`/v1/sku/${BURGER}?merchantId=${MERCHANT}`, writes)).body.code).toBe('auth.insufficient_scope')
    expect((await post(`/v1/sku/${BURGER}/silence`, {}, { key: writes })).status).toBe(200)
  })

  test('each account has its own copy of a test merchant: items and channels', async () => {
    const other = await createSandboxAccount({ db: api.db, clock: api.clock }, { name: 'Other' })
    await channel('uber', [BURGER])
    await post(`/v1/sku/${BURGER}/silence`)
    const theirs = (await get(`/v1/sku/${BURGER}?merchantId=${MERCHANT}`, other.apiKey)).body
    expect(theirs).toMatchObject({ state: 'live', channels: [{ channelId: 'direct' }] })
    expect((await get(`/v1/channels?merchantId=${MERCHANT}`, other.apiKey)).body).toEqual({ data: [] })
  })
})

test('GET /v1/channels lists the connected platforms', async () => {
  await channel('uber', [BURGER])
  await channel('doordash', [])
  const { status, body } = await get(`/v1/channels?merchantId=${MERCHANT}`)
  expect(status).toBe(200)
  expect(channelsList.strict().parse(body)).toEqual(body)
  expect(body.data).toEqual([
    { channelId: 'doordash', platform: 'doordash', name: 'doordash', status: 'connected', items: 0, silenced: 0 },
    { channelId: 'uber', platform: 'uber', name: 'uber', status: 'connected', items: 1, silenced: 0 },
  ])
})
