// Counts the durations of settled tickets and deliveries into latency slices, once a minute, at one relay.
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { EVERY_PLACE, type LatencyStore, type SettledPlace, type Slice } from '#cloud/storage/latency-store.ts'
import type { Clock } from '#shared/clock.ts'
import type { LocationId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { Sweeps } from '#shared/rounds.ts'
import { NO_COUNTS, withOne } from './latency-buckets.ts'
import { type Stage, stagesOf } from './order-stages.ts'

export interface FillSlicesDeps {
  db: RelayDatabase
  latency: LatencyStore
  clock: Clock
  log: Logger
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
interface Settled {
  location_id: LocationId
  environment: 'sandbox' | 'live'
  settled_at: number | null
}

/** What was settled then is committed by now, at every relay. */
const SETTLED_MS = 30_000
/** Rows read at once, and written in one unit: a few milliseconds. */
const READ_PIECE = 1_000
const WRITE_PIECE = 100
/** A relay that counts for the first time begins a day ago. */
const BACK_MS = DAY_MS
/** So long each kind of slice is kept: five minutes for the last day as it goes, hours for the map. */
const KEPT_MS = { 5: 8 * DAY_MS, 60: 90 * DAY_MS } as const

/**
 * It begins at the newest hour that has slices and counts that hour again from the stored orders, replacing its slices: whatever a
 * relay that was killed had written of it, nothing counts twice.
 */
export class FillSlices extends Sweeps<FillSlicesDeps> {
  /** Null: it has not begun, or a pass was cut short. */
  #reached: { jobs: SettledPlace; deliveries: SettledPlace } | null = null
  /** Slices of hours that are not over, by their names. */
  #open = new Map<string, Slice>()
  #changed = new Set<string>()

  constructor(deps: FillSlicesDeps) {
    super(deps, { everyMs: MINUTE_MS, failed: 'latency slices could not be filled; tried again in a minute' })
  }

  override async start(): Promise<void> {
    this.#reached = null
    await super.start()
  }

  /** Counts everything that was settled until half a minute ago, and deletes slices that are too old. */
  override async sweep(): Promise<void> {
    const { clock } = this.deps
    const untilMs = clock.now() - SETTLED_MS
    const from = this.#reached ?? (await this.#begin(untilMs))
    // Again if anything fails, or the stop comes in between.
    this.#reached = null
    const jobs = await this.#jobs(from.jobs, untilMs)
    const deliveries = await this.#deliveries(from.deliveries, untilMs)
    if (jobs === null || deliveries === null || !(await this.#write())) return
    const hour = floor(untilMs, 60)
    for (const [name, { slot }] of this.#open) if (slot < hour) this.#open.delete(name)
    this.#reached = { jobs, deliveries }
    await this.#prune()
  }

  async #begin(untilMs: number): Promise<{ jobs: SettledPlace; deliveries: SettledPlace }> {
    this.#open = new Map()
    this.#changed = new Set()
    const newest = (await this.deps.latency.newestHour()) ?? 0
    const place = { atMs: Math.max(newest, floor(untilMs - BACK_MS, 60)), ordinal: -1 }
    return { jobs: place, deliveries: place }
  }

  /** @returns where it ended; null: the stop came between */
  async #jobs(from: SettledPlace, untilMs: number): Promise<SettledPlace | null> {
    let place = from
    for (;;) {
      const rows = await this.deps.latency.settledJobs(place, untilMs, READ_PIECE)
      for (const row of rows) {
        const { evidence, created_at: createdAtMs, accepted_at: acceptedAtMs, ...order } = row
        const stages = stagesOf({ order, evidence, createdAtMs, acceptedAtMs })
        for (const [stage, ms] of Object.entries(stages)) this.#count(stage as Stage, row, ms)
      }
      place = placeOf(rows.at(-1), place)
      if (rows.length < READ_PIECE) return place
      if (this.stopping) return null
    }
  }

  async #deliveries(from: SettledPlace, untilMs: number): Promise<SettledPlace | null> {
    let place = from
    for (;;) {
      const rows = await this.deps.latency.settledDeliveries(place, untilMs, READ_PIECE)
      for (const row of rows) this.#count('webhook', row, Math.max(0, row.at - row.created_at))
      place = placeOf(rows.at(-1), place)
      if (rows.length < READ_PIECE) return place
      if (this.stopping) return null
    }
  }

  #count(stage: Stage, { location_id: place, environment, settled_at }: Settled, ms: number): void {
    for (const minutes of [5, 60] as const) {
      this.#countAt({ location_id: place, minutes, slot: floor(settled_at ?? 0, minutes), stage }, ms)
    }
    // For the public status page of the relay, which shows no account's figures.
    if (environment === 'live')
      this.#countAt({ location_id: EVERY_PLACE, minutes: 60, slot: floor(settled_at ?? 0, 60), stage }, ms)
  }

  #countAt(slice: Omit<Slice, 'counts'>, ms: number): void {
    const name = `${slice.location_id} ${slice.minutes} ${slice.slot} ${slice.stage}`
    this.#open.set(name, { ...slice, counts: withOne(this.#open.get(name)?.counts ?? NO_COUNTS, ms) })
    this.#changed.add(name)
  }

  /** Hour by hour: of a pass that is cut short, all hours before the newest are whole. @returns false: the stop came between */
  async #write(): Promise<boolean> {
    const { db, latency } = this.deps
    const slices = [...this.#changed].flatMap((name) => this.#open.get(name) ?? [])
    slices.sort((a, b) => floor(a.slot, 60) - floor(b.slot, 60) || a.minutes - b.minutes)
    for (let from = 0; from < slices.length; from += WRITE_PIECE) {
      if (this.stopping) return false
      await db.unit((tx) => latency.put(tx, slices.slice(from, from + WRITE_PIECE)))
    }
    this.#changed = new Set()
    return true
  }

  async #prune(): Promise<void> {
    const { db, latency, clock } = this.deps
    for (const minutes of [5, 60] as const) {
      const beforeMs = clock.now() - KEPT_MS[minutes]
      while (!this.stopping && (await db.unit((tx) => latency.prune(tx, { minutes, beforeMs, limit: WRITE_PIECE }))));
    }
  }
}

function floor(ms: number, minutes: number): number {
  return Math.floor(ms / (minutes * MINUTE_MS)) * minutes * MINUTE_MS
}

function placeOf(row: { settled_at: number | null; ordinal: number } | undefined, before: SettledPlace): SettledPlace {
  return row === undefined ? before : { atMs: row.settled_at ?? before.atMs, ordinal: row.ordinal }
}
