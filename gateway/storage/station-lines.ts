// Number of lines per station in the last days: the names that the catalog really uses. Reads each stored order once.
import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '#shared/clock.ts'
import type { GatewayDatabase } from './database.ts'
import { LOCAL_STREAM } from './ticket-rows.ts'

export interface SeenStation {
  /** As the newest line writes it; empty: lines without a station. */
  station: string
  lines: number
}

const DAY_MS = 86_400_000
/** How long a station counts as one that orders use. */
export const SEEN_DAYS = 7
/** Orders per slice: some ten milliseconds, more on a small box. */
const SLICE = 200
/** Pause after each slice: the first reading is at the start, when waiting tickets are printed. */
export const STATION_PAUSE_MS = 30
/** Names come from clients; a kitchen does not have more stations than this. */
const MOST_NAMES = 500

interface Row {
  position: number
  at: number
  stations: string | null
}

interface Day {
  /** By the name in lower case. */
  counts: Map<string, SeenStation>
}

export class StationLines {
  readonly #after: Statement<[number, number], Row>
  readonly #before: Statement<[number, number], Row>
  readonly #breathe: () => Promise<void>
  readonly #days = new Map<number, Day>()
  /** Position of the newest order that was counted; null: none yet. */
  #last: number | null = null
  #reading: Promise<void> = Promise.resolve()

  /** @param breathe lets other work run between two slices */
  constructor({ sqlite }: GatewayDatabase, breathe = (): Promise<void> => new Promise((go) => setImmediate(go))) {
    const select = `select rowid as position, received_at_ms as at,
      case when json_valid(doc) then
        (select json_group_array(coalesce(value ->> '$.station', '')) from json_each(doc, '$.order.items')) end as stations
      from jobs where kind in ('order', 'board') and stream <> '${LOCAL_STREAM}'`
    this.#after = sqlite.prepare(`${select} and rowid > ? order by rowid limit ?`)
    this.#before = sqlite.prepare(`${select} and rowid < ? order by rowid desc limit ?`)
    this.#breathe = breathe
  }

  /** The stations of the last seven days, the busiest first. Reads only what is new since the last call. */
  async seen(nowMs: EpochMs): Promise<SeenStation[]> {
    this.#reading = this.#reading.then(() => this.#read(nowMs))
    await this.#reading
    const first = Math.floor((nowMs - SEEN_DAYS * DAY_MS) / DAY_MS)
    const sums = new Map<string, SeenStation>()
    for (const [day, { counts }] of [...this.#days].sort(([a], [b]) => a - b)) {
      if (day < first) this.#days.delete(day)
      else for (const one of counts.values()) add(sums, one)
    }
    return [...sums.values()].sort((a, b) => b.lines - a.lines)
  }

  async #read(nowMs: EpochMs): Promise<void> {
    if (this.#last === null) return await this.#readBack(nowMs - SEEN_DAYS * DAY_MS)
    for (;;) {
      const rows = this.#after.all(this.#last, SLICE)
      for (const row of rows) this.#count(row)
      this.#last = rows.at(-1)?.position ?? this.#last
      if (rows.length < SLICE) return
      await this.#breathe()
    }
  }

  /** From the newest back, because old orders are kept for longer. */
  async #readBack(sinceMs: EpochMs): Promise<void> {
    let before = Number.MAX_SAFE_INTEGER
    for (;;) {
      const rows = this.#before.all(before, SLICE)
      this.#last ??= rows[0]?.position ?? 0
      for (const row of rows) if (row.at >= sinceMs) this.#count(row)
      const oldest = rows.at(-1)
      if (oldest === undefined || rows.length < SLICE || oldest.at < sinceMs) return
      before = oldest.position
      await this.#breathe()
    }
  }

  #count({ at, stations }: Row): void {
    if (stations === null) return
    const number = Math.floor(at / DAY_MS)
    const day = this.#days.get(number) ?? { counts: new Map() }
    this.#days.set(number, day)
    for (const name of JSON.parse(stations) as unknown[])
      if (typeof name === 'string') add(day.counts, { station: name.trim(), lines: 1 })
  }
}

function add(counts: Map<string, SeenStation>, { station, lines }: SeenStation): void {
  const key = station.toLowerCase()
  const known = counts.get(key)
  if (known === undefined && counts.size >= MOST_NAMES) return
  counts.set(key, { station, lines: lines + (known?.lines ?? 0) })
}
