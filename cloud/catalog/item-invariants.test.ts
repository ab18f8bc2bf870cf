// Whatever is done to an item, in whichever order: its stock, its places, its events and the outbox to its platforms agree.
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ServiceError } from '#shared/errors.ts'
import { BURGER, MenuSite } from '#test/fixtures/menu-site.ts'
import { assertProperty } from '#test/harness/property.ts'
import { connectChannel, disconnectChannel } from './channels.ts'
import { giveBackStock, takeStock } from './take-stock.ts'

const CHANNELS = ['one', 'two']

let site: MenuSite
beforeEach(async () => {
  site = await MenuSite.open()
  for (const channelId of CHANNELS) await site.channel(channelId, [BURGER])
})
afterEach(() => site.close())

const places = fc.option(fc.subarray(['direct', ...CHANNELS], { minLength: 1 }), { nil: undefined })
const act = fc.oneof(
  fc.record({ kind: fc.constant('silence' as const), channels: places, forMs: fc.constantFrom(null, 1_000, 60_000) }),
  fc.record({ kind: fc.constant('restore' as const), channels: places }),
  fc.record({
    kind: fc.constant('stock' as const),
    quantity: fc.option(fc.integer({ min: 0, max: 8 })),
    lowThreshold: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('take' as const), quantity: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('give back' as const) }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(999, 1_000, 60_000) }),
  fc.record({
    kind: fc.constant('channel' as const),
    channelId: fc.constantFrom(...CHANNELS),
    isOn: fc.boolean(),
  }),
)
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never

/** What orders hold. */
let taken: Readonly<Record<string, number>>[]

async function does(step: Act): Promise<void> {
  const { deps, merchant, clock } = site
  const ofChannels = 'channels' in step && step.channels !== undefined ? { channels: step.channels } : {}
  switch (step.kind) {
    case 'silence': {
      const until = step.forMs === null ? {} : { until: new Date(clock.now() + step.forMs).toISOString() }
      await site.silence(BURGER, { ...ofChannels, ...until })
      return
    }
    case 'restore':
      await site.restore(BURGER, ofChannels)
      return
    case 'stock':
      await site.stock(BURGER, step.quantity, step.lowThreshold)
      return
    case 'take': {
      const needs = new Map([[BURGER, step.quantity]])
      try {
        taken.push((await site.unit((tx) => takeStock(tx, deps, { merchant, needs, atMs: clock.now() }))).taken)
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
      }
      return
    }
    case 'give back': {
      const back = taken.pop()
      if (back) await site.unit((tx) => giveBackStock(tx, deps, { merchant, taken: back, atMs: clock.now() }))
      return
    }
    case 'wait':
      clock.jump(step.ms)
      await site.restoreDue().sweep()
      return
    case 'channel': {
      const names = { channelId: step.channelId, platform: step.channelId, name: step.channelId }
      const channel = { ...names, connector: 'simulated' as const }
      if (step.isOn) await site.run((tx) => connectChannel(tx, deps, { merchant, channel }))
      else await site.run((tx) => disconnectChannel(tx, deps, { merchant, channelId: step.channelId }))
    }
  }
}

const snapshot = async () => ({
  row: await site.row(BURGER),
  links: await Promise.all(CHANNELS.map((channelId) => site.link(BURGER, channelId))),
  events: await site.events(),
})
type Snapshot = Awaited<ReturnType<typeof snapshot>>

function expectConsistent({ row, links, events }: Snapshot, nowMs: number): void {
  // What inject reads: silenced on `direct`, or on every connected channel.
  const connected = links.filter((link) => link.channel_status === 'connected')
  const everywhere = connected.length > 0 && connected.every((link) => link.silenced_at !== null)
  expect(row.silenced_at !== null).toBe(row.direct_silenced_at !== null || everywhere)
  // Low exactly while it is low; stock is never sold twice.
  expect(row.low_stock_at !== null).toBe(row.stock !== null && row.stock <= row.low_threshold)
  expect(row.stock ?? 0).toBeGreaterThanOrEqual(0)
  // Sequences have no hole.
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1))
  expect(row.sequence).toBe(events.length)
  for (const mark of [
    { at: row.direct_silenced_at, until: row.direct_silenced_until, cause: row.direct_cause },
    ...links.map((link) => ({ at: link.silenced_at, until: link.silenced_until, cause: link.cause })),
  ]) {
    expect(mark.cause === null).toBe(mark.at === null)
    if (mark.until !== null) expect([mark.at !== null, mark.cause]).toEqual([true, 'call'])
    // Out of stock silences only while nothing is left.
    if (mark.cause === 'out_of_stock') expect(row.stock).toBe(0)
  }
  // A state that the platform does not have is on its way while it is connected, and waits while it is not.
  for (const link of links) {
    if (link.sync_state === 'synced') expect(link.next_at).toBeNull()
    else
      expect([link.channel_id, link.next_at !== null]).toEqual([link.channel_id, link.channel_status === 'connected'])
    if (link.next_at !== null) expect(link.next_at).toBeLessThanOrEqual(nowMs)
  }
}

/** A follower of the events gets an event for every change, and none without a change. */
function expectTold(before: Snapshot, after: Snapshot): void {
  const told = after.events.slice(before.events.length)
  const crossed = before.row.low_stock_at === null && after.row.low_stock_at !== null
  expect(told.filter(({ type }) => type === 'sku.low_stock')).toHaveLength(crossed ? 1 : 0)
  const states = ({ row, links }: Snapshot) =>
    new Map([
      ['direct', row.direct_silenced_at !== null],
      ...links.map((l) => [l.channel_id, l.silenced_at !== null] as const),
    ])
  const [was, is] = [states(before), states(after)]
  for (const [channelId, isSilenced] of is) {
    if (was.get(channelId) === isSilenced) continue
    const type = isSilenced ? 'sku.silenced' : 'sku.restored'
    const telling = told.filter(
      (event) => event.type === type && (event.data['channels'] as string[]).includes(channelId),
    )
    expect([channelId, type, telling.length]).toEqual([channelId, type, 1])
  }
  for (const [i, link] of after.links.entries()) {
    const earlier = before.links[i]
    const isOther = link.silenced_at !== earlier?.silenced_at || link.silenced_until !== earlier.silenced_until
    if (isOther) expect(link.revision).toBeGreaterThan(earlier?.revision ?? 0)
  }
}

test('after every step they agree', async () => {
  await assertProperty(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 14 }), async (steps) => {
      taken = []
      let before = await snapshot()
      for (const step of steps) {
        await does(step)
        const after = await snapshot()
        expectConsistent(after, site.clock.now())
        expectTold(before, after)
        // Nothing stays silenced beyond its time.
        const untils = [after.row.direct_silenced_until, ...after.links.map((link) => link.silenced_until)]
        if (step.kind === 'wait')
          for (const until of untils) expect(until ?? Infinity).toBeGreaterThan(site.clock.now())
        before = after
      }
    }),
    { numRuns: 60 },
  )
})
