// Rules that hold whatever happens to an item: any sequence of calls, orders, voids, changes of channels and time, with platforms that fail.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLogger } from '#shared/log.ts'
import { BURGER, MenuSite } from '#test/fixtures/menu-site.ts'
import { assertProperty } from '#test/harness/property.ts'
import type { ChannelConnector, ChannelMessage } from './channel-connector.ts'
import { ChannelWorker } from './channel-worker.ts'
import { disconnectChannel } from './channels.ts'
import { giveBackStock, takeStock } from './take-stock.ts'

const CHANNELS = ['doordash', 'uber']
const places = fc.option(fc.uniqueArray(fc.constantFrom('direct', ...CHANNELS), { minLength: 1 }), { nil: undefined })

const step = fc.oneof(
  fc.record({
    kind: fc.constant('silence' as const),
    channels: places,
    minutes: fc.option(fc.integer({ min: 1, max: 9 })),
  }),
  fc.record({ kind: fc.constant('restore' as const), channels: places }),
  fc.record({ kind: fc.constant('stock' as const), quantity: fc.option(fc.integer({ min: 0, max: 8 })) }),
  fc.record({ kind: fc.constant('take' as const), quantity: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('void' as const) }),
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant('connect' as const), channelId: fc.constantFrom(...CHANNELS) }),
  fc.record({ kind: fc.constant('disconnect' as const), channelId: fc.constantFrom(...CHANNELS) }),
  fc.record({ kind: fc.constant('platforms' as const), fail: fc.boolean() }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

class Kitchen {
  readonly site: MenuSite
  /** The newest state that each platform has confirmed. */
  readonly known = new Map<string, ChannelMessage>()
  readonly worker: ChannelWorker
  /** What orders have taken and no void has given back. */
  readonly orders: Record<string, number>[] = []
  fail = false

  constructor(site: MenuSite) {
    this.site = site
    const connector: ChannelConnector = {
      tell: async (message) => {
        if (this.fail) return { error: 'timeout', retryAfterMs: null }
        if (message.revision > (this.known.get(message.channelId)?.revision ?? 0))
          this.known.set(message.channelId, message)
        return { error: null, retryAfterMs: null }
      },
    }
    this.worker = new ChannelWorker({
      channels: site.deps.channels,
      outbox: site.outbox,
      connectors: { http: connector, simulated: connector },
      retrySeconds: [60],
      clock: site.clock,
      random: () => 0,
      log: createLogger('test', 'error', { destination: { write: () => {} } }),
    })
  }

  async do(next: Step): Promise<void> {
    const { site } = this
    if (next.kind === 'silence') {
      const until = next.minutes === null ? undefined : this.#iso(next.minutes)
      await site.silence(BURGER, { channels: next.channels, until })
    } else if (next.kind === 'restore') await site.restore(BURGER, { channels: next.channels })
    else if (next.kind === 'stock') await site.stock(BURGER, next.quantity)
    else if (next.kind === 'take') await this.#take(next.quantity)
    else if (next.kind === 'void') await this.#giveBack()
    else if (next.kind === 'wait') {
      for (let i = 0; i < next.minutes; i++) await this.minute()
      await site.restoreDue().sweep()
    } else if (next.kind === 'connect') await site.channel(next.channelId, [])
    else if (next.kind === 'disconnect')
      await site.run((tx) => disconnectChannel(tx, site.deps, { merchant: site.merchant, channelId: next.channelId }))
    else this.fail = next.fail
  }

  /** With one sweep of the worker at its end, which is when its retries fall due: the others would find nothing. */
  async minute(): Promise<void> {
    this.site.clock.stall(59_500)
    await this.site.clock.advance(500)
  }

  #iso(minutes: number): string {
    return new Date(this.site.clock.now() + minutes * 60_000).toISOString()
  }

  async #take(quantity: number): Promise<void> {
    const { site } = this
    const before = (await site.row(BURGER)).stock
    const needs = new Map([[BURGER, quantity]])
    try {
      const { taken } = await site.unit((tx) =>
        takeStock(tx, site.deps, { merchant: site.merchant, needs, atMs: site.clock.now() }),
      )
      this.orders.push(taken)
      expect(taken).toEqual(before === null ? {} : { [BURGER]: quantity })
    } catch (error) {
      expect(error).toMatchObject({ code: 'ums.item_silenced' })
      expect(before).toBeLessThan(quantity)
    }
  }

  async #giveBack(): Promise<void> {
    const { site } = this
    const taken = this.orders.pop()
    if (taken)
      await site.unit((tx) => giveBackStock(tx, site.deps, { merchant: site.merchant, taken, atMs: site.clock.now() }))
  }
}

test('after any sequence, the events match the state, the state is consistent, and every platform gets it in the end', async () => {
  const run = async (steps: Step[]) => {
    const site = await MenuSite.open()
    const kitchen = new Kitchen(site)
    try {
      for (const channelId of CHANNELS) await site.channel(channelId, [BURGER])
      await kitchen.worker.start()
      for (const next of steps) {
        await kitchen.do(next)
        await expectConsistent(site)
      }
      await expectEventsTellTheState(site)
      kitchen.fail = false
      for (const channelId of CHANNELS) await site.channel(channelId, [])
      // A stop lets a pass end, so that the next sweep finds what it left.
      for (let i = 0; i < 4; i++) {
        await kitchen.minute()
        await kitchen.worker.stop()
        await kitchen.worker.start()
      }
      await kitchen.worker.stop()
      await expectPlatformsKnow(site, kitchen)
    } finally {
      await kitchen.worker.stop()
      await site.close()
    }
  }
  await assertProperty(fc.asyncProperty(fc.array(step, { maxLength: 14 }), run), { numRuns: 40 })
})

async function expectConsistent(site: MenuSite): Promise<void> {
  const row = await site.row(BURGER)
  const { channels, orderable, state, stock } = await site.sku(BURGER)
  const links = await site.deps.channels.links(site.db.read, site.merchant.key, BURGER)
  const silenced = (channelId: string) => channels.find((one) => one.channelId === channelId)?.state === 'silenced'
  const connected = links.filter((link) => link.channel_status === 'connected').map((link) => link.channel_id)
  const closed = silenced('direct') || (connected.length > 0 && connected.every(silenced))
  expect(row.silenced_at !== null).toBe(closed)
  expect(orderable).toBe(!closed && stock.quantity !== 0)
  expect(state).toBe(channels.some((one) => one.state === 'silenced') ? 'silenced' : 'live')
  expect(row.stock ?? 0).toBeGreaterThanOrEqual(0)
  expect(row.low_stock_at !== null).toBe(row.stock !== null && row.stock <= row.low_threshold)
  for (const one of channels) expect(one.cause === null).toBe(one.silencedAt === null)
  if (row.stock !== 0) expect(channels.map((one) => one.cause)).not.toContain('out_of_stock')
}

/** A follower of the events can tell where the item is silenced. */
async function expectEventsTellTheState(site: MenuSite): Promise<void> {
  const events = await site.events()
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1))
  const silenced = new Set<string>()
  for (const { type, data } of events) {
    for (const channelId of (data['channels'] ?? []) as string[]) {
      if (type === 'sku.silenced') silenced.add(channelId)
      else silenced.delete(channelId)
    }
  }
  const { channels } = await site.sku(BURGER)
  const now = channels.filter((one) => one.state === 'silenced').map((one) => one.channelId)
  expect([...silenced].sort()).toEqual(now)
}

async function expectPlatformsKnow(site: MenuSite, kitchen: Kitchen): Promise<void> {
  for (const { channelId, state, silencedUntil, sync } of (await site.sku(BURGER)).channels.slice(1)) {
    expect(sync).toBe('synced')
    expect(kitchen.known.get(channelId)).toMatchObject({ state, until: silencedUntil })
  }
}
