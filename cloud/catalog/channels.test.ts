// Channels and their mapping: connected, disconnected, connected again; what a newly mapped item is; what is refused.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { channelsList } from '#shared/wire/api/catalog.ts'
import { BRULEE, BURGER, MenuSite } from '#test/fixtures/menu-site.ts'
import { connectChannel, disconnectChannel, listChannels, mapChannelItem } from './channels.ts'

let site: MenuSite
beforeEach(async () => {
  site = await MenuSite.open()
})
afterEach(() => site.close())

const uber = { channelId: 'uber', platform: 'Uber Eats', name: 'Uber Eats, Main Street' }
const connect = (change: object = {}) =>
  site.run((tx) =>
    connectChannel(tx, site.deps, {
      merchant: site.merchant,
      channel: { ...uber, connector: 'http', url: 'https://uber.example/', chosenBy: 'operator', ...change },
    }),
  )
const disconnect = (channelId: string) =>
  site.run((tx) => disconnectChannel(tx, site.deps, { merchant: site.merchant, channelId }))
const map = (umsId: string, externalId: string, channelId = 'uber') =>
  site.run((tx) => mapChannelItem(tx, site.deps, { merchant: site.merchant, channelId, umsId, externalId }))
const list = () => listChannels(site.deps, site.merchant)

describe('a channel', () => {
  test('is listed with its items, those silenced, and how it is', async () => {
    await site.channel('uber', [BURGER, BRULEE])
    await site.channel('doordash', [BURGER], { fails: true })
    await site.silence(BURGER)
    await site.services().start()
    await site.settled(3)
    const channels = await list()
    expect(channelsList.strict().parse({ data: channels })).toEqual({ data: channels })
    expect(channels).toEqual([
      { channelId: 'doordash', platform: 'doordash', name: 'doordash', status: 'failing', items: 1, silenced: 1 },
      { channelId: 'uber', platform: 'uber', name: 'uber', status: 'connected', items: 2, silenced: 1 },
    ])
  })

  test('shows its secret once and keeps it when its address changes; it is encrypted in the database', async () => {
    const { secret } = await connect()
    expect(secret).toMatch(/^whsec_/)
    const stored = await site.deps.channels.find(site.db.read, site.merchant.key, 'uber')
    expect(stored?.config).not.toContain(secret?.slice(6))
    expect(await connect({ url: 'https://other.example/', name: 'New' })).toEqual({ channelId: 'uber', secret: null })
    const { url, secretEnc } = JSON.parse(
      (await site.deps.channels.find(site.db.read, site.merchant.key, 'uber'))?.config ?? '{}',
    )
    expect(url).toBe('https://other.example/')
    expect(site.secretBox.open(secretEnc)).toBe(secret)
    expect((await list())[0]?.name).toBe('New')
  })

  test.each(['direct', '', 'Uber', 'uber eats', '-uber', 'x'.repeat(65), 'ubér'])(
    'may not be called %j',
    async (channelId) => {
      await expect(connect({ channelId })).rejects.toMatchObject({
        code: 'request.invalid',
        errors: [{ field: 'channelId' }],
      })
    },
  )

  test('has names without control characters', async () => {
    await expect(connect({ name: 'a\u001bb', platform: '' })).rejects.toMatchObject({
      errors: [{ field: 'platform' }, { field: 'name' }],
    })
    expect(await list()).toEqual([])
  })

  test('that is disconnected gets nothing, does not count, and gets all it missed when it is connected again', async () => {
    await site.channel('uber', [BURGER])
    await site.channel('doordash', [BURGER])
    await site.services().start()
    await site.settled(2)
    await site.silence(BURGER, { channels: ['doordash'] })
    await site.settled(3)
    expect((await site.sku(BURGER)).orderable).toBe(true)

    await disconnect('uber')
    expect((await site.sku(BURGER)).orderable).toBe(false)
    expect((await site.row(BURGER)).silenced_at).not.toBeNull()
    await site.silence(BURGER, { channels: ['uber'] })
    await site.clock.advance(10_000)
    expect(site.attempts).toHaveLength(3)
    expect(await site.link(BURGER, 'uber')).toMatchObject({ sync_state: 'pending', next_at: null })
    expect((await list()).map(({ status }) => status)).toEqual(['connected', 'disconnected'])

    await connect({ connector: 'simulated' })
    expect(await site.settled(4)).toMatchObject([{}, {}, {}, { channelId: 'uber', revision: 2, error: null }])
    await site.restore(BURGER, { channels: ['uber'] })
    expect((await site.row(BURGER)).silenced_at).toBeNull()
  })

  test('of another merchant is none of ours', async () => {
    const other = { ...site.merchant, key: (await otherMerchant()).key }
    await site.channel('uber', [BURGER])
    expect(await listChannels(site.deps, other)).toEqual([])
    await expect(
      site.run((tx) =>
        mapChannelItem(tx, site.deps, { merchant: other, channelId: 'uber', umsId: BURGER, externalId: 'x' }),
      ),
    ).rejects.toMatchObject({ code: 'channel.unknown' })
  })
})

describe('a mapped item', () => {
  test('is sent to its platform in its current state, and again under a new id', async () => {
    await site.channel('uber', [])
    await map(BURGER, 'u-1')
    expect(await site.link(BURGER, 'uber')).toMatchObject({ external_id: 'u-1', revision: 1, sync_state: 'pending' })
    await map(BURGER, 'u-1')
    expect((await site.link(BURGER, 'uber')).revision).toBe(1)
    await map(BURGER, 'u-2')
    expect(await site.link(BURGER, 'uber')).toMatchObject({ external_id: 'u-2', revision: 2, sync_state: 'pending' })
    expect(await site.events()).toEqual([])
  })

  test('that is silenced everywhere is sent to the channel as silenced', async () => {
    await site.stock(BURGER, 0)
    await site.channel('uber', [BURGER])
    expect((await site.sku(BURGER)).channels[1]).toMatchObject({ state: 'silenced', cause: 'out_of_stock' })
    await site.stock(BURGER, 8)
    expect((await site.sku(BURGER)).state).toBe('live')
  })

  test('that is silenced on all other channels but not on direct can be ordered again', async () => {
    await site.channel('uber', [BURGER])
    await site.silence(BURGER, { channels: ['uber'] })
    expect((await site.row(BURGER)).silenced_at).not.toBeNull()
    await site.channel('doordash', [BURGER])
    expect((await site.row(BURGER)).silenced_at).toBeNull()
  })

  test('must exist, and so must its channel', async () => {
    await site.channel('uber', [])
    await expect(map('UMS-NONE', 'x')).rejects.toMatchObject({ code: 'ums.not_found' })
    await expect(map(BURGER, 'x', 'grubhub')).rejects.toMatchObject({ code: 'channel.unknown' })
    await expect(map(BURGER, '')).rejects.toMatchObject({ errors: [{ field: 'externalId' }] })
    await expect(disconnect('grubhub')).rejects.toMatchObject({ code: 'channel.unknown' })
  })

  test('keeps what it is when the menu is written again', async () => {
    await site.stock(BURGER, 3)
    await site.silence(BURGER)
    const before = await site.row(BURGER)
    const { merchant_id, ums_id, kind } = before
    await site.unit((tx) => site.deps.catalog.put(tx, [{ merchant_id, ums_id, kind, name: 'Bigger Burger' }]))
    expect(await site.row(BURGER)).toMatchObject({ ...before, name: 'Bigger Burger', price_cents: before.price_cents })
  })
})

async function otherMerchant() {
  const account = await createSandboxAccount({ db: site.db, clock: site.clock }, { name: 'Other' })
  return account.merchants[0]!
}
