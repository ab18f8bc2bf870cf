// A page's live feed: its data, its state, and the server's clock.
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { fromIso, systemClock } from '#shared/clock.ts'
import { openFeed, randomFraction } from './browser.ts'
import { LiveClient, type LiveState } from './live-client.ts'
import { type AnyTopics, changed, noTopics, topicsOf } from './live-topics.ts'
import { watchVisibility } from './page-browser.ts'
import { SlowAsking } from './slow-asking.ts'
import { StaleRooms } from './stale-rooms.ts'

export interface LiveView<T> {
  state: LiveState
  /** False until the first snapshot. */
  hasData: boolean
  topics: T
  /** Difference of the server's clock to this browser's, in milliseconds; positive if the server is ahead. */
  aheadMs: number
}

class LiveStore {
  readonly #names: readonly string[]
  #view: LiveView<AnyTopics>
  readonly #listeners = new Set<() => void>()

  constructor(names: readonly string[]) {
    this.#names = names
    this.#view = { state: 'waiting', hasData: false, topics: noTopics(names), aheadMs: 0 }
  }

  readonly view = (): LiveView<AnyTopics> => this.#view
  readonly subscribe = (listen: () => void): (() => void) => {
    this.#listeners.add(listen)
    return () => this.#listeners.delete(listen)
  }
  change(part: Partial<LiveView<AnyTopics>>): void {
    this.#view = { ...this.#view, ...part }
    for (const listen of this.#listeners) listen()
  }

  hear(name: string, data: unknown): void {
    const clock = clockOf(data)
    if (name === 'hello') this.change({ ...clock, topics: topicsOf(this.#names, data), hasData: true })
    else if (name === 'patch') this.change({ ...clock, topics: changed(this.#view.topics, data) })
    else if (clock) this.change(clock)
  }
}

/** Only a change of a second or more counts; otherwise each heartbeat would render the page again. */
function clockOf(data: unknown): { aheadMs: number } | null {
  const { time } = (typeof data === 'object' && data !== null ? data : {}) as { time?: unknown }
  const ms = typeof time === 'string' ? fromIso(time) : null
  return ms === null ? null : { aheadMs: Math.round((ms - systemClock.now()) / 1_000) * 1_000 }
}

const LiveContext = createContext<LiveStore | null>(null)

/** Mounted while a user is signed in. */
export function LiveProvider({
  url,
  topics,
  stale,
  slowMs = null,
  children,
}: {
  /** Null: no feed, and the state stays `waiting`. */
  url: string | null
  /** Names of the topics that the page shows. */
  topics: readonly string[]
  /** Topic to the key prefixes of the queries that a change of it invalidates. Must be the same object on each render. */
  stale: Readonly<Record<string, readonly string[]>>
  /** While the feed is silent, those queries are refetched at this interval, in milliseconds. Null: not at all. */
  slowMs?: number | null
  children: ReactNode
}) {
  const [store] = useState(() => new LiveStore(topics))
  const queries = useQueryClient()
  useEffect(() => {
    if (url === null) return
    const askSession = () => void queries.invalidateQueries({ queryKey: ['session'] })
    const rooms = new StaleRooms({
      clock: systemClock,
      random: randomFraction,
      ask: (room) => void queries.invalidateQueries({ queryKey: [room] }),
    })
    const slow =
      slowMs === null
        ? null
        : new SlowAsking({
            clock: systemClock,
            everyMs: slowMs,
            ask: () => {
              for (const room of new Set(Object.values(stale).flat())) rooms.touch(room)
            },
          })
    const client = new LiveClient({
      open: () => openFeed(url),
      clock: systemClock,
      random: randomFraction,
      events: ['hello', 'patch', 'beat', 'bye'],
      onEvent: (name, data) => {
        const before = store.view().topics
        store.hear(name, data)
        for (const [topic, of] of Object.entries(stale))
          if (store.view().topics[topic] !== before[topic]) for (const room of of) rooms.touch(room)
        if (name !== 'bye') return
        client.stop()
        askSession()
      },
      onState: (state) => {
        store.change({ state })
        slow?.become(state)
      },
      onBroken: askSession,
    })
    const turn = (isHidden: boolean) => (isHidden ? client.stop() : client.start())
    turn(document.hidden)
    const unwatch = watchVisibility(turn)
    return () => {
      unwatch()
      client.stop()
      slow?.stop()
      rooms.stop()
    }
  }, [queries, slowMs, stale, store, url])
  return <LiveContext.Provider value={store}>{children}</LiveContext.Provider>
}

function useStore(): LiveStore {
  const store = useContext(LiveContext)
  if (!store) throw new Error('useLive outside of its provider')
  return store
}

/** Renders on each message of the feed. `T`: the type of the page's topics. */
export function useLive<T = AnyTopics>(): LiveView<T> {
  const store = useStore()
  return useSyncExternalStore(store.subscribe, store.view) as LiveView<T>
}

/** Renders only when the state changes. */
export function useLiveState(): LiveState {
  const store = useStore()
  return useSyncExternalStore(store.subscribe, () => store.view().state)
}

/** The server's time, updated every few seconds. */
export function useServerNow(everyMs = 5_000): number {
  const store = useStore()
  const aheadMs = useSyncExternalStore(store.subscribe, () => store.view().aheadMs)
  const [now, setNow] = useState(() => systemClock.now())
  useEffect(() => systemClock.every(everyMs, () => setNow(systemClock.now())), [everyMs])
  return now + aheadMs
}
