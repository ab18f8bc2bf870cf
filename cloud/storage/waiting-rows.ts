// Puts right the times of what waits for its next attempt when the clock was set: they are times of the clock, and it may have been wrong.
import { type RawBuilder, sql } from 'kysely'
import type { RelayDatabase, Tx } from './database.ts'

/** Rows changed in one commit: a few milliseconds. */
const PIECE = 500

/** A part of an outbox that an index keeps in the order of `next_at`. */
export interface WaitingPart {
  index: string
  /** What every row of it is, in the words of the partial index, so that SQLite uses that. */
  within: RawBuilder<unknown>
  /** Attempts of the schedule that were made: SQL, a whole number. */
  attempts: RawBuilder<unknown>
}

/** An outbox, as far as its times go. */
export interface Waiting {
  table: 'deliveries' | 'pos_outbox' | 'channel_items'
  /** The column by which rows of equal `next_at` differ within a part. */
  key: 'ordinal' | 'ums_id'
  /** The condition of the partial index of its leases, or the nearest to it. */
  leased: RawBuilder<unknown>
  parts: () => Promise<WaitingPart[]>
}

/** When the clock was set: by so much (negative: back), and what it shows now. */
export interface ClockStep {
  byMs: number
  nowMs: number
}

/** The longest that a row may wait, and how long it waits when that was exceeded. By the number of attempts made: 0 waits for nothing. */
export interface WaitLimits {
  nowMs: number
  leaseMs: number
  retrySeconds: readonly number[]
}

export class WaitingRows {
  readonly #db: RelayDatabase
  readonly #waiting: Waiting

  constructor(db: RelayDatabase, waiting: Waiting) {
    this.#db = db
    this.#waiting = waiting
  }

  /** Lets everything wait as long as it had to before the clock was set; what was due stays due. @returns how many rows */
  async move({ byMs, nowMs }: ClockStep): Promise<number> {
    const { table, leased } = this.#waiting
    // What is later than both is what waits by either clock.
    const floorMs = Math.min(nowMs, nowMs - byMs)
    const moved = (column: RawBuilder<unknown>) => sql`max(${column} + ${byMs}, ${nowMs})`
    await this.#db.unit((tx) =>
      sql`update ${sql.table(table)} set lease_until = ${moved(sql`lease_until`)}
        where ${leased} and lease_until > ${floorMs}`.execute(tx),
    )
    // Away from where it looks next: no row is moved twice.
    const order = byMs > 0 ? 'desc' : 'asc'
    return this.#each({ floorMs, order }, (part) => ({ nextAt: moved(sql`next_at`), where: part.within }))
  }

  /**
   * Whatever would be tried later than the longest delay after its last attempt allows waits for that delay from now on. The clock was
   * ahead when it was written. @returns how many rows
   */
  async shorten({ nowMs, leaseMs, retrySeconds }: WaitLimits): Promise<number> {
    const { table, leased } = this.#waiting
    const leaseUntilMs = nowMs + leaseMs
    await this.#db.unit((tx) =>
      sql`update ${sql.table(table)} set lease_until = ${leaseUntilMs}
        where ${leased} and lease_until > ${leaseUntilMs}`.execute(tx),
    )
    return this.#each({ floorMs: nowMs, order: 'desc' }, (part) => {
      const delayMs = delayAfter(part.attempts, retrySeconds)
      // Retry-After doubles it at most, and up to a tenth comes by chance.
      const longestMs = sql`${delayMs} * 21 / 10`
      return { nextAt: sql`${nowMs} + ${delayMs}`, where: sql`${part.within} and next_at > ${nowMs} + ${longestMs}` }
    })
  }

  /** Changes the rows whose `next_at` is later than `floorMs` and that fit, piece by piece in that order. */
  async #each(
    { floorMs, order }: { floorMs: number; order: 'asc' | 'desc' },
    changeOf: (part: WaitingPart) => Change,
  ): Promise<number> {
    let changed = 0
    for (const part of await this.#waiting.parts()) {
      const { nextAt, where } = changeOf(part)
      const change = { nextAt, where: sql`${where} and next_at > ${floorMs}` }
      let after: Place | null = null
      do {
        const piece: Place[] = await this.#piece(part, { floorMs, order, after, fits: change.where })
        const keys = piece.filter(({ fits }) => fits === 1).map(({ key }) => key)
        if (keys.length > 0) changed += await this.#db.unit((tx) => changeThem(tx, this.#waiting, { keys, ...change }))
        after = piece.length === PIECE ? (piece.at(-1) ?? null) : null
      } while (after !== null)
    }
    return changed
  }

  /** The next rows in the order of the index. Only looked at: a commit for each of what may be thousands of endpoints would hold up orders. */
  async #piece({ index, within }: WaitingPart, { floorMs, order, after, fits }: Search): Promise<Place[]> {
    const { table, key } = this.#waiting
    const column = sql.ref(key)
    const way = sql.raw(order)
    const beyond = sql.raw(order === 'asc' ? '>' : '<')
    const goesOn = after === null ? sql`` : sql`and (next_at, ${column}) ${beyond} (${after.nextAt}, ${after.key})`
    const found = await sql<Place>`select next_at as "nextAt", ${column} as "key", (${fits}) as "fits"
      from ${sql.table(table)} indexed by ${sql.ref(index)}
      where ${within} and next_at > ${floorMs} ${goesOn}
      order by next_at ${way}, ${column} ${way} limit ${PIECE}`.execute(this.#db.read)
    return found.rows
  }
}

/** What becomes of `next_at`, and of which rows. */
interface Change {
  nextAt: RawBuilder<unknown>
  where: RawBuilder<unknown>
}

interface Search {
  floorMs: number
  order: 'asc' | 'desc'
  after: Place | null
  fits: RawBuilder<unknown>
}

interface Place {
  nextAt: number
  key: number | string
  fits: 0 | 1
}

/** `where` once more: a row may have changed since it was looked at. */
async function changeThem(
  tx: Tx,
  { table, key }: Waiting,
  { keys, nextAt, where }: Change & { keys: readonly (number | string)[] },
): Promise<number> {
  const { numAffectedRows } = await sql`update ${sql.table(table)} set next_at = ${nextAt}
    where ${where} and ${sql.ref(key)} in (${sql.join(keys)})`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Milliseconds, as SQL: 0 before the first attempt, the last delay after all the others. */
function delayAfter(attempts: RawBuilder<unknown>, retrySeconds: readonly number[]): RawBuilder<unknown> {
  const cases = retrySeconds.map((seconds, at) => sql`when ${attempts} = ${at + 1} then ${seconds * 1_000}`)
  const last = (retrySeconds.at(-1) ?? 0) * 1_000
  return sql`case when ${attempts} <= 0 then 0 ${sql.join(cases, sql` `)} else ${last} end`
}
