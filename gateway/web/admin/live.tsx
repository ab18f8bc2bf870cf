// The page's one live feed: what it says, whether it is live, and the box's clock.
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { fromIso, systemClock } from '#shared/clock.ts'
import { openFeed, randomFraction } from '#shared/ui/browser.ts'
import { LiveClient, type LiveState } from '#shared/ui/live-client.ts'
import { watchVisibility } from './browser.ts'
import { changed, NO_TOPICS, type Topics, topicsOf } from './live-topics.ts'

interface LiveView {
  state: LiveState
  /** False until the first snapshot. */
  hasData: boolean
  topics: Topics
  /** What the box's clock is ahead of this browser's, milliseconds. */
  aheadMs: number
}

const START: LiveView = { state: 'waiting', hasData: false, topics: NO_TOPICS, aheadMs: 0 }

class LiveStore {
  #view = START
  readonly #listeners = new Set<() => void>()

  readonly view = (): LiveView => this.#view
  readonly subscribe = (listen: () => void): (() => void) => {
    this.#listeners.add(listen)
    return () => this.#listeners.delete(listen)
  }
  change(part: Partial<LiveView>): void {
    this.#view = { ...this.#view, ...part }
    for (const listen of this.#listeners) listen()
  }

  hear(name: string, data: unknown): void {
    const clock = clockOf(data)
    if (name === 'hello') this.change({ ...clock, topics: topicsOf(data), hasData: true })
    else if (name === 'patch') this.change({ ...clock, topics: changed(this.#view.topics, data) })
    else if (clock) this.change(clock)
  }
}

/** Only a new difference of a second or more counts: else each beat would draw the page anew. */
function clockOf(data: unknown): { aheadMs: number } | null {
  const { time } = (typeof data === 'object' && data !== null ? data : {}) as { time?: unknown }
  const ms = typeof time === 'string' ? fromIso(time) : null
  return ms === null ? null : { aheadMs: Math.round((ms - systemClock.now()) / 1_000) * 1_000 }
}

const LiveContext = createContext<LiveStore | null>(null)

/** Mounted while somebody is signed in. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const [store] = useState(() => new LiveStore())
  const queries = useQueryClient()
  useEffect(() => {
    const askSession = () => void queries.invalidateQueries({ queryKey: ['session'] })
    const client = new LiveClient({
      open: () => openFeed('/api/v1/live'),
      clock: systemClock,
      random: randomFraction,
      events: ['hello', 'patch', 'beat', 'bye'],
      onEvent: (name, data) => {
        const before = store.view().topics
        store.hear(name, data)
        if (store.view().topics.tickets !== before.tickets) void queries.invalidateQueries({ queryKey: ['jobs'] })
        if (name !== 'bye') return
        client.stop()
        askSession()
      },
      onState: (state) => store.change({ state }),
      onBroken: askSession,
    })
    const turn = (isHidden: boolean) => (isHidden ? client.stop() : client.start())
    turn(document.hidden)
    const unwatch = watchVisibility(turn)
    return () => {
      unwatch()
      client.stop()
    }
  }, [queries, store])
  return <LiveContext.Provider value={store}>{children}</LiveContext.Provider>
}

export function useLive(): LiveView {
  const store = useContext(LiveContext)
  if (!store) throw new Error('useLive outside of its provider')
  return useSyncExternalStore(store.subscribe, store.view)
}

/** The box's time, anew every few seconds. */
export function useNow(everyMs = 5_000): number {
  const { aheadMs } = useLive()
  const [now, setNow] = useState(() => systemClock.now())
  useEffect(() => systemClock.every(everyMs, () => setNow(systemClock.now())), [everyMs])
  return now + aheadMs
}
