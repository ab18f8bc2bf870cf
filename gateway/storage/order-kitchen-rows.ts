// The kitchen's work on one order, as its card shows it: which screens showed it and when, stations, courses, reports to the relay.
import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '#shared/clock.ts'
import type { GatewayDatabase } from './database.ts'

/** Null: it did not happen. */
export interface ScreenStory {
  displayId: string
  /** Null: the display was removed. */
  name: string | null
  seenAtMs: EpochMs | null
  /** Printed because the display did not answer. */
  paperAtMs: EpochMs | null
  noticedAtMs: EpochMs | null
  buzzedAtMs: EpochMs | null
  voidSeenAtMs: EpochMs | null
  changeSeenAtMs: EpochMs | null
}

export interface KitchenStory {
  readyAtMs: EpochMs | null
  pickedUpAtMs: EpochMs | null
  recalledAtMs: EpochMs | null
  /** By their folded names. */
  stations: { key: string; startedAtMs: EpochMs | null; readyAtMs: EpochMs | null }[]
  struck: { line: number; atMs: EpochMs }[]
  /** Courses that were fired, lowest first. `jobId`: prints it; null: without paper. */
  courses: { course: number; firedAtMs: EpochMs; jobId: string | null; toldAtMs: EpochMs | null }[]
  screens: ScreenStory[]
  /** `toldAtMs`: the relay has it; null: it waits, or may still be undone. */
  facts: { fact: 'ready' | 'completed'; atMs: EpochMs; toldAtMs: EpochMs | null }[]
}

export class OrderKitchenRows {
  readonly #order: Statement<[string], Pick<KitchenStory, 'readyAtMs' | 'pickedUpAtMs' | 'recalledAtMs'>>
  readonly #stations: Statement<[string], KitchenStory['stations'][number]>
  readonly #struck: Statement<[string], KitchenStory['struck'][number]>
  readonly #courses: Statement<[string], KitchenStory['courses'][number]>
  readonly #screens: Statement<[string], ScreenStory>
  readonly #facts: Statement<[string], KitchenStory['facts'][number]>

  constructor({ sqlite: sql }: GatewayDatabase) {
    this.#order = sql.prepare(
      `select ready_at_ms as readyAtMs, picked_up_at_ms as pickedUpAtMs, recalled_at_ms as recalledAtMs from kitchen_orders where order_id = ?`,
    )
    this.#stations = sql.prepare(
      'select station as key, started_at_ms as startedAtMs, ready_at_ms as readyAtMs from kitchen_stations where order_id = ?',
    )
    this.#struck = sql.prepare(
      'select line, struck_at_ms as atMs from kitchen_lines where order_id = ? order by struck_at_ms, line',
    )
    this.#courses = sql.prepare(
      `select course, fired_at_ms as firedAtMs, job_id as jobId, acked_at_ms as toldAtMs from kitchen_courses
       where order_id = ? order by course`,
    )
    this.#screens = sql.prepare(
      `select s.display_id as displayId, d.name, s.seen_at_ms as seenAtMs, s.paper_at_ms as paperAtMs, s.noticed_at_ms as noticedAtMs,
         s.buzzed_at_ms as buzzedAtMs, s.void_seen_at_ms as voidSeenAtMs, s.change_seen_at_ms as changeSeenAtMs
       from kitchen_seen s left join displays d on d.display_id = s.display_id where s.order_id = ? order by s.display_id`,
    )
    this.#facts = sql.prepare(
      'select fact, at_ms as atMs, acked_at_ms as toldAtMs from kitchen_facts where order_id = ? order by fact_id',
    )
  }

  of(orderId: string): KitchenStory {
    const order = this.#order.get(orderId)
    return {
      readyAtMs: order?.readyAtMs ?? null,
      pickedUpAtMs: order?.pickedUpAtMs ?? null,
      recalledAtMs: order?.recalledAtMs ?? null,
      stations: this.#stations.all(orderId),
      struck: this.#struck.all(orderId),
      courses: this.#courses.all(orderId),
      screens: this.#screens.all(orderId),
      facts: this.#facts.all(orderId),
    }
  }
}
