// The live client: it detects silence, reopens broken feeds, and ignores events of closed ones.
import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { type FeedSource, LiveClient, type LiveState } from './live-client.ts'

class Feed implements FeedSource {
  readonly after: string
  isClosed = false
  readonly #listeners = new Map<string, (event: { data?: unknown; lastEventId?: string }) => void>()
  constructor(after: string) {
    this.after = after
  }
  addEventListener(name: string, listen: (event: { data?: unknown; lastEventId?: string }) => void): void {
    this.#listeners.set(name, listen)
  }
  close(): void {
    this.isClosed = true
  }
  say(name: string, data: unknown, lastEventId = ''): void {
    this.#listeners.get(name)?.({ data: JSON.stringify(data), lastEventId })
  }
  sayRaw(name: string, data: string): void {
    this.#listeners.get(name)?.({ data })
  }
  fail(): void {
    this.#listeners.get('error')?.({})
  }
}

describe('the live client', () => {
  let clock: ManualClock
  let feeds: Feed[]
  let states: LiveState[]
  let events: [string, unknown][]
  let brokenCount: number
  let client: LiveClient
  const last = (): Feed => feeds.at(-1) as Feed
  beforeEach(() => {
    clock = new ManualClock()
    feeds = []
    states = []
    events = []
    brokenCount = 0
    client = new LiveClient({
      open: (after) => {
        const feed = new Feed(after)
        feeds.push(feed)
        return feed
      },
      clock,
      random: () => 0.999,
      events: ['hello', 'beat'],
      onEvent: (name, data) => events.push([name, data]),
      onState: (state) => states.push(state),
      onBroken: () => {
        brokenCount += 1
      },
    })
    client.start()
  })

  it('is live from the first event on, while heartbeats arrive', async () => {
    last().say('hello', { revision: 1 })
    for (let beat = 0; beat < 20; beat++) {
      await clock.advance(5_000)
      last().say('beat', {})
    }
    expect(states).toEqual(['live'])
    expect(feeds).toHaveLength(1)
    expect(events[0]).toEqual(['hello', { revision: 1 }])
  })

  it('reports silence after 12 s without events, closes the feed and opens another one', async () => {
    last().say('hello', {})
    await clock.advance(11_999)
    expect(client.state).toBe('live')
    await clock.advance(1)
    expect(client.state).toBe('silent')
    expect(feeds[0]?.isClosed).toBe(true)
    await clock.advance(1_000)
    expect(feeds).toHaveLength(2)
    last().say('hello', {})
    expect(states).toEqual(['live', 'silent', 'live'])
  })

  it('continues after the last event received', async () => {
    last().say('hello', {}, '41')
    last().say('beat', {})
    last().fail()
    await clock.advance(1_000)
    expect(last().after).toBe('41')
  })

  it('is silent 12 s after the last event, even if every reconnect fails at once', async () => {
    last().say('hello', {})
    for (let ms = 0; ms < 11_000; ms += 500) {
      if (!last().isClosed) last().fail()
      await clock.advance(500)
    }
    expect(client.state).toBe('waiting')
    await clock.advance(1_000)
    expect(client.state).toBe('silent')
    expect(brokenCount).toBeGreaterThan(2)
  })

  it('reconnects with growing pauses, at most 10 s', async () => {
    const opened: number[] = []
    for (let ms = 0; ms < 120_000; ms += 100) {
      const before = feeds.length
      if (!last().isClosed) last().fail()
      await clock.advance(100)
      if (feeds.length > before) opened.push(ms)
    }
    expect(opened.length).toBeGreaterThan(10)
    expect(opened.length).toBeLessThan(26)
  })

  it('ignores events of a closed feed, and invalid JSON', async () => {
    last().fail()
    last().say('hello', {})
    await clock.advance(1_000)
    last().sayRaw('hello', '{"half')
    expect(events).toEqual([])
  })

  it('pauses when stopped, and continues when started again', async () => {
    last().say('hello', {}, '7')
    client.stop()
    expect(feeds[0]?.isClosed).toBe(true)
    await clock.advance(60_000)
    expect(feeds).toHaveLength(1)
    client.start()
    expect(last().after).toBe('7')
  })
})
