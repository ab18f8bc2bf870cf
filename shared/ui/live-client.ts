// The live feed of a page: an EventSource with a watchdog on the heartbeat, since a stalled server leaves the connection open and silent forever.
import { type BackoffOptions, fullJitterMs } from '#shared/backoff.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import { plainJson } from '#shared/turning-marks.ts'

/** `live`: events arrive. `waiting`: connecting or reconnecting. `silent`: no events for too long, so the page may be out of date. */
export type LiveState = 'waiting' | 'live' | 'silent'

/** The part of the browser's EventSource that is used. */
export interface FeedSource {
  addEventListener(name: string, listen: (event: { data?: unknown; lastEventId?: string }) => void): void
  close(): void
}

export interface LiveClientOptions {
  /** Opens the feed after the event with this id, the last one received. */
  open: (lastEventId: string) => FeedSource
  clock: Clock
  random: () => number
  /** Names of the events. Each resets the watchdog. */
  events: readonly string[]
  onEvent: (name: string, data: unknown) => void
  onState: (state: LiveState) => void
  /** Called when the feed was refused or lost, to check whether the session is still valid. */
  onBroken?: () => void
  silentAfterMs?: number
}

/** The heartbeat comes every 5 s, so two may be lost. */
export const SILENT_AFTER_MS = 12_000
const RETRY: Omit<BackoffOptions, 'random'> = { firstMs: 1_000, maxMs: 10_000 }

/** One feed for one page. `start` after `stop` continues after the last event. */
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

  /** Closes the feed. Hidden pages must do so: a browser allows six connections to a host, and a feed holds one. */
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
    // The browser reconnects after some errors and not after others, so we always reconnect ourselves.
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

  /** Measures from the last event, across reconnects: a server that refuses is as silent as one that hangs. */
  #watch(): void {
    this.#cancelWatch()
    this.#cancelWatch = this.#options.clock.after(this.#options.silentAfterMs ?? SILENT_AFTER_MS, () => {
      this.#become('silent')
      this.#retry()
      this.#watch()
    })
  }

  #broke(): void {
    // A restart takes about a second: only the watchdog reports silence.
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

/** Undefined for invalid JSON; the next event may be valid. */
function parsedOrNull(data: unknown): unknown {
  if (typeof data !== 'string') return undefined
  try {
    return plainJson(data)
  } catch {
    return undefined
  }
}
