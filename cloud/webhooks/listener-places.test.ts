// Limits of streams at a relay: the total, the sandbox's share, and a program that does not read.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Listener, ListenerStore } from '#cloud/storage/listener-store.ts'
import { newId, type WebhookId } from '#shared/ids.ts'
import { HeardStream, tell } from '#test/doubles/heard-stream.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { ListenerDesk, type ListenerDeskDeps, type Pipe } from './listener-desk.ts'
import { createListener } from './listeners.ts'

let clock: ManualClock
let site: WebhookSite
let desk: ListenerDesk
beforeEach(async () => {
  clock = new ManualClock()
  site = await WebhookSite.open({ clock })
})
afterEach(async () => {
  await desk.stop()
  await site.close()
})

async function start(change: Partial<ListenerDeskDeps> = {}): Promise<void> {
  const { listeners, deliveries, endpoints, secretBox, log } = site
  desk = new ListenerDesk({ listeners, deliveries, endpoints, secretBox, clock, log, isAlone: true, ...change })
  await desk.start()
}

async function listen(): Promise<Listener> {
  const { merchant } = site
  const { answer } = await site.db.unit((tx) => createListener(tx, site, { merchant, events: ['*'] }))
  const found = await site.listeners.find(merchant, answer.webhookId)
  if (found === null) throw new Error('the listener was not stored')
  return found
}

/** A store of any number of accounts: an account has five listeners, and filling a relay takes hundreds. */
function manyListeners(): ListenerStore {
  const streams = new Map<WebhookId, string>()
  const { changed } = site.listeners
  const store: Partial<ListenerStore> = {
    changed,
    endDead: async () => {},
    openStream: async (endpointId, streamId) => {
      streams.set(endpointId, streamId)
      return true
    },
    endStream: async () => {},
    waiting: async () => 0,
    claim: async () => [],
    look: async (ids) =>
      ids.map((endpointId) => ({ endpointId, streamId: streams.get(endpointId) ?? null, isDue: false })),
    takeExpired: async () => [],
  }
  return store as ListenerStore
}

const open = async (listener: Listener, count: number): Promise<void> => {
  for (let n = 0; n < count; n++)
    await HeardStream.open(desk, { ...listener, endpointId: newId('we', clock.now() + n) })
}

/** The code of the refusal, and when to retry. */
function refusal(environment: Listener['environment']): { code: string; retryAfterSeconds?: number } | null {
  try {
    desk.admit({ environment })
    return null
  } catch (error) {
    return error as { code: string; retryAfterSeconds?: number }
  }
}

describe('a place at a relay', () => {
  it('is refused to the sandbox when its streams have half of all places, and not to live', async () => {
    const listener = await listen()
    await start({ listeners: manyListeners() })
    await open(listener, 499)
    expect(refusal('sandbox')).toBeNull()
    await open(listener, 1)
    expect(desk.size).toBe(500)
    expect(refusal('sandbox')).toMatchObject({ code: 'rate_limit.exceeded', retryAfterSeconds: 5 })
    expect(refusal('live')).toBeNull()
  })

  it('is refused to all when streams and dashboard feeds have every place, and free when one ends', async () => {
    const listener = await listen()
    let feeds = 998
    await start({ otherFeeds: () => feeds })
    const stream = await HeardStream.open(desk, listener)
    expect(refusal('live')).toBeNull()
    feeds = 999
    for (const environment of ['sandbox', 'live'] as const)
      expect(refusal(environment)).toMatchObject({ code: 'rate_limit.exceeded', retryAfterSeconds: 5 })
    stream.cut()
    expect(refusal('live')).toBeNull()
  })

  it('is refused by a relay that sends nothing, and by one that stops', async () => {
    await start({ sends: false })
    expect(refusal('sandbox')).toMatchObject({ code: 'service.unavailable', retryAfterSeconds: 60 })
    await desk.stop()
    await start()
    expect(refusal('sandbox')).toBeNull()
    await desk.leave()
    expect(refusal('sandbox')).toMatchObject({ code: 'service.unavailable', retryAfterSeconds: 1 })
  })
})

describe('a stream that cannot begin', () => {
  it('is cut and frees its place when the database fails, and the next one gets what waits', async () => {
    const listener = await listen()
    await site.record()
    let fails = true
    const counted = site.listeners.waiting.bind(site.listeners)
    vi.spyOn(site.listeners, 'waiting').mockImplementation(async (id) => {
      if (fails) throw new Error('the database is away')
      return counted(id)
    })
    await start()
    const unread = new UnreadPipe()
    await desk.open(
      listener,
      (closed) => unread.begin(closed),
      async () => true,
    )
    expect([unread.wasCut, desk.size]).toEqual([true, 0])
    await clock.advance(30_000)
    expect(unread.events).toEqual([])
    fails = false
    const next = await HeardStream.open(desk, listener)
    expect((await next.heard(1))[0]?.number).toBe(1)
  })
})

describe('a program that does not read', () => {
  it('is disconnected after 20 seconds, and unsent deliveries go to the next stream as the same attempt', async () => {
    await start()
    const listener = await listen()
    await site.record()
    const unread = new UnreadPipe()
    await desk.open(
      listener,
      (closed) => unread.begin(closed),
      async () => true,
    )
    await unread.asked
    await clock.advance(19_000)
    expect([unread.wasCut, unread.events]).toEqual([false, ['ready', 'beat']])
    await clock.advance(1_000)
    expect([unread.wasCut, desk.size]).toEqual([true, 0])
    expect(unread.events).not.toContain('delivery')
    const next = await HeardStream.open(desk, listener)
    const [delivery] = await next.heard(1)
    expect(delivery?.number).toBe(1)
    expect(await tell({ site, desk }, listener, { deliveryId: delivery?.deliveryId ?? '', number: 1 })).toBe(
      'delivered',
    )
    expect((await site.attempts()).map(({ number, status }) => [number, status])).toEqual([[1, 204]])
  })
})

/** Nothing that is sent leaves it. */
class UnreadPipe implements Pipe {
  readonly events: string[] = []
  readonly #asked = Promise.withResolvers<void>()
  readonly #gone = Promise.withResolvers<void>()
  #closed: () => void = () => {}
  wasCut = false

  begin(closed: () => void): this {
    this.#closed = closed
    return this
  }

  /** Resolves when something waits to be sent. */
  get asked(): Promise<void> {
    return this.#asked.promise
  }

  send(event: string): void {
    if (!this.wasCut) this.events.push(event)
  }

  async drained(): Promise<void> {
    this.#asked.resolve()
    await this.#gone.promise
  }

  close(): void {
    this.#gone.resolve()
    this.#closed()
  }

  cut(): void {
    this.wasCut = true
    this.close()
  }
}
