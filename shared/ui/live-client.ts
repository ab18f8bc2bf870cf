// The live feed of a page: an EventSource that is not believed. A stalled server leaves it "open" and silent for ever, so a watchdog on the heartbeat decides.
import { type BackoffOptions, fullJitterMs } from '#shared/backoff.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import { plainJson } from '#shared/turning-marks.ts'

/** `live`: events come. `waiting`: not yet, or being opened again. `silent`: nothing came for too long, what stands on the page may be old. */
export type LiveState = 'waiting' | 'live' | 'silent'

/** What is used of the browser's EventSource. */
export interface FeedSource {
  addEventListener(name: string, listen: (event: { data?: unknown; lastEventId?: string }) => void): void
  close(): void
}

export interface LiveClientOptions {
  /** Opens the feed; gets the id of the last event that came, to go on behind it. */
  open: (lastEventId: string) => FeedSource
  clock: Clock
  random: () => number
  /** Names of the events; each counts as a sign of life. */
  events: readonly string[]
  onEvent: (name: string, data: unknown) => void
  onState: (state: LiveState) => void
  /** The feed was refused or broke: a good moment to see whether the session still holds. */
  onBroken?: () => void
  silentAfterMs?: number
}

/** The heartbeat comes every 5 s: two of them may be lost. */
export const SILENT_AFTER_MS = 12_000
const RETRY: Omit<BackoffOptions, 'random'> = { firstMs: 1_000, maxMs: 10_000 }

/** One feed for one page. `start` after `stop` goes on behind the last event. */
export class LiveClient {
  readonly #options: LiveClientOptions
  #source: FeedSource | null = null
  #lastEventId = ''
  #attempt = 0
  #state: LiveState = 'waiting'
  #isRunning = false
  #cancelWatch: Cancel = () => undefined
  #cancelRetry: Cancel = () => undefined

  constructor(options: LiveClientOptions) {
    this.#options = options
  }

  get state(): LiveState {
    return this.#state
  }

  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#attempt = 0
    this.#watch()
    this.#connect()
  }

  /** Closes the feed, as a hidden page must: a browser has six connections to a host, and a feed holds one. */
  stop(): void {
    this.#isRunning = false
    this.#close()
    this.#become('waiting')
  }

  #connect(): void {
    const source = this.#options.open(this.#lastEventId)
    this.#source = source
    for (const name of this.#options.events)
      source.addEventListener(name, ({ data, lastEventId }) => {
        if (this.#source === source) this.#heard(name, data, lastEventId)
      })
    // The browser would try again by itself after some errors and never after others: we always do it ourselves.
    source.addEventListener('error', () => {
      if (this.#source === source) this.#broke()
    })
  }

  #heard(name: string, data: unknown, lastEventId: string | undefined): void {
    this.#attempt = 0
    if (lastEventId) this.#lastEventId = lastEventId
    this.#watch()
    this.#become('live')
    const parsed = parsedOrNull(data)
    if (parsed !== undefined) this.#options.onEvent(name, parsed)
  }

  /** Counts from the last sign of life, through every new try: a box that refuses is as silent as one that hangs. */
  #watch(): void {
    this.#cancelWatch()
    this.#cancelWatch = this.#options.clock.after(this.#options.silentAfterMs ?? SILENT_AFTER_MS, () => {
      this.#become('silent')
      this.#retry()
      this.#watch()
    })
  }

  #broke(): void {
    // A restart of the box is over in a second: only the watchdog calls it silent.
    if (this.#state === 'live') this.#become('waiting')
    this.#options.onBroken?.()
    this.#retry()
  }

  #retry(): void {
    this.#source?.close()
    this.#source = null
    this.#cancelRetry()
    const waitMs = fullJitterMs(this.#attempt, { ...RETRY, random: this.#options.random })
    this.#attempt += 1
    this.#cancelRetry = this.#options.clock.after(waitMs, () => {
      if (this.#isRunning) this.#connect()
    })
  }

  #close(): void {
    this.#cancelRetry()
    this.#cancelWatch()
    this.#source?.close()
    this.#source = null
  }

  #become(state: LiveState): void {
    if (this.#state === state) return
    this.#state = state
    this.#options.onState(state)
  }
}

/** Undefined when it is no JSON: the next event may be. */
function parsedOrNull(data: unknown): unknown {
  if (typeof data !== 'string') return undefined
  try {
    return plainJson(data)
  } catch {
    return undefined
  }
}
