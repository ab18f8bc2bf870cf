// Silencing, restoring and stock as calls, the clock and the channels change them: states, causes, events.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { skuResource } from '#shared/wire/api/catalog.ts'
import { WEBHOOK_EVENT_DATA } from '#shared/wire/webhook-event.ts'
import { BRULEE, BURGER, CHEESE, MenuSite } from '#test/fixtures/menu-site.ts'

let site: MenuSite
beforeEach(async () => {
  site = await MenuSite.open()
  await site.channel('uber', [BURGER, BRULEE])
  await site.channel('doordash', [BURGER])
})
afterEach(() => site.close())

const iso = (ms: number) => new Date(ms).toISOString()
const inAnHour = () => iso(site.clock.now() + 3_600_000)
const told = async () => (await site.events()).map(({ type, data }) => [type, data['channels'], data['cause']])

describe('silencing an item', () => {
  test('silences it on direct and on every channel that it is mapped to, with one event', async () => {
    const until = inAnHour()
    const sku = await site.silence(BURGER, { until, reason: 'fryer broken' })
    expect(skuResource.strict().parse(sku)).toEqual(sku)
    expect(sku).toMatchObject({ umsId: BURGER, state: 'silenced', orderable: false })
    expect(sku.channels).toEqual(
      ['direct', 'doordash', 'uber'].map((channelId) => ({
        channelId,
        externalId: channelId === 'direct' ? null : `${channelId}-${BURGER}`,
        state: 'silenced',
        silencedAt: iso(site.clock.now()),
        silencedUntil: until,
        cause: 'call',
        reason: 'fryer broken',
        sync: channelId === 'direct' ? 'synced' : 'pending',
      })),
    )
    expect(await site.sku(BURGER)).toEqual(sku)
    const [event, ...more] = await site.events()
    expect(more).toEqual([])
    expect(event?.data).toEqual({
      sku,
      channels: ['direct', 'doordash', 'uber'],
      cause: 'call',
      until,
      reason: 'fryer broken',
    })
    expect(WEBHOOK_EVENT_DATA['sku.silenced'].strict().parse(event?.data)).toEqual(event?.data)
  })

  test('on one channel leaves it orderable', async () => {
    const sku = await site.silence(BURGER, { channels: ['uber'] })
    expect(sku).toMatchObject({ state: 'silenced', orderable: true })
    expect((await site.row(BURGER)).silenced_at).toBeNull()
    expect(await told()).toEqual([['sku.silenced', ['uber'], 'call']])
  })

  test('on every connected channel makes it unorderable, although direct is live', async () => {
    await site.silence(BURGER, { channels: ['uber'] })
    await site.clock.advance(5_000)
    const sku = await site.silence(BURGER, { channels: ['doordash'] })
    expect(sku.channels[0]).toMatchObject({ channelId: 'direct', state: 'live' })
    expect(sku.orderable).toBe(false)
    expect((await site.row(BURGER)).silenced_at).toBe(site.clock.now())
    expect((await site.restore(BURGER, { channels: ['uber'] })).orderable).toBe(true)
  })

  test('again in the same way changes nothing and sends nothing', async () => {
    const until = inAnHour()
    const first = await site.silence(BURGER, { until })
    await site.clock.advance(1_000)
    expect(await site.silence(BURGER, { until })).toEqual(first)
    expect(await site.events()).toHaveLength(1)
    expect((await site.link(BURGER, 'uber')).revision).toBe(2)
  })

  test('again with another end keeps the start and reports the new end', async () => {
    await site.silence(BURGER, { until: inAnHour() })
    const begun = site.clock.now()
    await site.clock.advance(1_000)
    const sku = await site.silence(BURGER, { channels: ['uber'] })
    expect(sku.channels[2]).toMatchObject({ channelId: 'uber', silencedAt: iso(begun), silencedUntil: null })
    expect(await told()).toEqual([
      ['sku.silenced', ['direct', 'doordash', 'uber'], 'call'],
      ['sku.silenced', ['uber'], 'call'],
    ])
    expect((await site.link(BURGER, 'uber')).revision).toBe(3)
  })

  test('on a channel where it is not sold changes nothing', async () => {
    const sku = await site.silence(BRULEE, { channels: ['doordash'] })
    expect(sku.state).toBe('live')
    expect(await site.events()).toEqual([])
  })

  test('names every channel that the merchant does not have, and silences none', async () => {
    await expect(site.silence(BURGER, { channels: ['uber', 'grubhub', 'x'] })).rejects.toMatchObject({
      code: 'channel.unknown',
      errors: [{ field: 'channels[1]', message: 'grubhub is not connected' }, { field: 'channels[2]' }],
    })
    expect((await site.sku(BURGER)).state).toBe('live')
  })

  test('refuses an end that is not ahead, and an unknown item', async () => {
    await expect(site.silence(BURGER, { until: iso(site.clock.now()) })).rejects.toMatchObject({
      code: 'request.invalid',
      errors: [{ field: 'until' }],
    })
    await expect(site.silence('UMS-NONE')).rejects.toMatchObject({ code: 'ums.not_found' })
    await expect(site.restore('UMS-NONE')).rejects.toMatchObject({ code: 'ums.not_found' })
    await expect(site.stock('UMS-NONE', 1)).rejects.toMatchObject({ code: 'ums.not_found' })
  })

  test('numbers the events of each item separately', async () => {
    await site.silence(BURGER)
    await site.silence(BRULEE)
    await site.restore(BURGER)
    const numbers = (await site.events()).map((event) => [event.subjectId.split('/')[1], event.sequence])
    expect(numbers.sort()).toEqual([
      [BRULEE, 1],
      [BURGER, 1],
      [BURGER, 2],
    ])
  })
})

describe('restoring an item', () => {
  test('restores the named channels and returns which changed', async () => {
    await site.silence(BURGER)
    const sku = await site.restore(BURGER, { channels: ['direct', 'uber'] })
    expect(sku.channels.map(({ channelId, state }) => [channelId, state])).toEqual([
      ['direct', 'live'],
      ['doordash', 'silenced'],
      ['uber', 'live'],
    ])
    expect(sku.channels[0]).toMatchObject({ silencedAt: null, silencedUntil: null, cause: null, reason: null })
    const event = (await site.events())[1]
    expect(event?.data).toEqual({ sku, channels: ['direct', 'uber'], cause: 'call' })
    expect(WEBHOOK_EVENT_DATA['sku.restored'].strict().parse(event?.data)).toEqual(event?.data)
  })

  test('of a live item changes nothing and sends nothing', async () => {
    await site.restore(BURGER)
    expect(await site.events()).toEqual([])
    expect((await site.link(BURGER, 'uber')).revision).toBe(1)
  })

  test('undoes what the stock has silenced too; orders still need stock', async () => {
    await site.stock(BURGER, 0)
    const sku = await site.restore(BURGER)
    expect(sku).toMatchObject({ state: 'live', orderable: false, stock: { quantity: 0 } })
  })
})

describe('setting the stock', () => {
  test('to 0 silences everywhere, above 0 restores exactly that', async () => {
    await site.silence(BURGER, { channels: ['uber'] })
    const out = await site.stock(BURGER, 0)
    expect(out).toMatchObject({ state: 'silenced', orderable: false, stock: { quantity: 0, lowThreshold: 5 } })
    expect(out.channels.map(({ channelId, cause }) => [channelId, cause])).toEqual([
      ['direct', 'out_of_stock'],
      ['doordash', 'out_of_stock'],
      ['uber', 'call'],
    ])
    const back = await site.stock(BURGER, 20)
    expect(back.channels.map(({ state }) => state)).toEqual(['live', 'live', 'silenced'])
    expect(await told()).toEqual([
      ['sku.silenced', ['uber'], 'call'],
      ['sku.low_stock', undefined, undefined],
      ['sku.silenced', ['direct', 'doordash'], 'out_of_stock'],
      ['sku.restored', ['direct', 'doordash'], 'in_stock'],
    ])
  })

  test('to null stops counting and restores what the stock had silenced', async () => {
    await site.stock(BURGER, 0)
    expect(await site.stock(BURGER, null)).toMatchObject({ state: 'live', orderable: true, stock: { quantity: null } })
  })

  test('twice to the same changes nothing', async () => {
    await site.stock(BURGER, 0)
    await site.restore(BURGER)
    expect((await site.stock(BURGER, 0)).state).toBe('live')
    expect(await site.events()).toHaveLength(3)
  })

  test('keeps the threshold when none is given, and a raised threshold can be crossed by that alone', async () => {
    await site.stock(BURGER, 9, 3)
    expect((await site.stock(BURGER, 8)).stock).toEqual({ quantity: 8, lowThreshold: 3 })
    expect(await site.events()).toEqual([])
    await site.stock(BURGER, 8, 10)
    expect((await site.events()).map(({ type, data }) => [type, data['lowThreshold']])).toEqual([['sku.low_stock', 10]])
  })

  test('counts modifiers as well', async () => {
    expect((await site.stock(CHEESE, 12)).stock.quantity).toBe(12)
  })

  test('a call that silences what is out of stock makes it the call’s: stock does not restore it', async () => {
    await site.stock(BURGER, 0)
    await site.silence(BURGER)
    expect((await site.stock(BURGER, 9)).state).toBe('silenced')
  })
})

describe('when `until` has come', () => {
  /** Lets the time pass and the last pass end. */
  async function passes(ms: number): Promise<void> {
    const services = site.services()
    await services.start()
    await site.clock.pass(ms)
    await services.stop()
  }

  test('the item is restored within half a second, with one event for all its channels', async () => {
    await site.silence(BURGER, { until: inAnHour() })
    await site.silence(BRULEE)
    await passes(3_599_500)
    expect((await site.sku(BURGER)).state).toBe('silenced')
    await passes(1_000)
    expect((await site.sku(BURGER)).state).toBe('live')
    expect((await site.sku(BRULEE)).state).toBe('silenced')
    const restored = (await site.events()).filter(({ type }) => type === 'sku.restored')
    expect(restored).toHaveLength(1)
    expect(restored[0]?.data).toMatchObject({ channels: ['direct', 'doordash', 'uber'], cause: 'schedule' })
    await passes(60_000)
    expect(await site.events()).toHaveLength(3)
  })

  test('restores only the channels whose time has come', async () => {
    await site.silence(BURGER)
    await site.silence(BURGER, { channels: ['uber'], until: inAnHour() })
    await passes(3_601_000)
    expect((await site.sku(BURGER)).channels.map(({ state }) => state)).toEqual(['silenced', 'silenced', 'live'])
  })

  test('an item that is out of stock stays silenced until there is stock', async () => {
    await site.silence(BURGER, { until: inAnHour() })
    await site.stock(BURGER, 0)
    await passes(3_601_000)
    const sku = await site.sku(BURGER)
    expect(sku).toMatchObject({ state: 'silenced', orderable: false })
    expect(sku.channels[0]).toMatchObject({ cause: 'out_of_stock', silencedUntil: null })
    expect((await site.events()).map(({ type }) => type)).not.toContain('sku.restored')
    expect((await site.stock(BURGER, 4)).state).toBe('live')
  })

  test('what fell due while the relay was down is restored after the start', async () => {
    await site.silence(BURGER, { until: inAnHour() })
    site.clock.jump(86_400_000)
    await passes(1_000)
    expect((await site.sku(BURGER)).state).toBe('live')
  })

  test('a whole menu is restored in batches, so that orders are not delayed', async () => {
    const rows = Array.from({ length: 120 }, (_, i) => ({
      merchant_id: site.merchant.key,
      ums_id: `UMS-MANY-${i}`,
      name: `Many ${i}`,
      kind: 'item' as const,
      direct_silenced_at: 1,
      direct_silenced_until: site.clock.now(),
      direct_cause: 'call' as const,
      silenced_at: 1,
    }))
    await site.unit((tx) => site.deps.catalog.put(tx, rows))
    const left = async () => (await site.deps.catalog.due(site.clock.now(), 1_000)).length
    const restoreDue = site.restoreDue()
    const seen: number[] = []
    for (let pass = 1; pass <= 3; pass++) {
      await restoreDue.sweep()
      seen.push(await left())
    }
    expect(seen).toEqual([70, 20, 0])
    expect(await site.events()).toHaveLength(120)
  })
})
