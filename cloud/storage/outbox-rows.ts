// The rows of an outbox: the leases under which they are sent, and the times of those that wait, which are put right when the clock was set. Which
// are due is each store's own query.
import { type RawBuilder, sql } from 'kysely'
import type { RelayDatabase, Tx } from './database.ts'
import { isAlone, ofDeadRelays } from './replica-store.ts'

/** Rows changed in one commit: a few milliseconds. */
const PIECE = 500

/** A part of an outbox that an index keeps in the order of `next_at`. */
export interface WaitingPart {
  index: string
  /** What every row of it is, in the words of the partial index, so that SQLite uses that. */
  within: RawBuilder<unknown>
  /** Condition on the leading columns of the primary key, which are constant within this part. */
  keyed?: RawBuilder<unknown>
  /** Attempts of the schedule that were made: SQL, a whole number. */
  attempts: RawBuilder<unknown>
}

export interface OutboxTable<Key> {
  table: 'deliveries' | 'pos_outbox' | 'channel_items' | 'notices' | 'text_messages' | 'voicemails'
  /** The column by which rows of equal `next_at` differ within a part. */
  key: 'ordinal' | 'ums_id' | 'id'
  /** The condition of the partial index of its leases, or the nearest to it. */
  leased: RawBuilder<unknown>
  /** The rows with these keys. */
  rows: (keys: readonly Key[]) => RawBuilder<unknown>
  parts: () => Promise<WaitingPart[]>
}

/** What comes after an attempt. */
export type NextState = { state: 'delivered' } | { state: 'failed' } | { state: 'retrying'; nextAtMs: number }

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

/** The row is not being sent now. @param table as the query names it */
export function isFree(table: string, nowMs: unknown): RawBuilder<boolean> {
  const until = sql.ref(`${table}.lease_until`)
  return sql`(${until} is null or ${until} <= ${nowMs})`
}

export class OutboxRows<Key> {
  readonly #db: RelayDatabase
  readonly #table: OutboxTable<Key>

  constructor(db: RelayDatabase, table: OutboxTable<Key>) {
    this.#db = db
    this.#table = table
  }

  /** In the unit that has chosen them. */
  async lease(tx: Tx, keys: readonly Key[], untilMs: number): Promise<void> {
    if (keys.length === 0) return
    const { table, rows } = this.#table
    await sql`update ${sql.table(table)} set lease_until = ${untilMs}, lease_by = ${this.#db.replicaId}
      where ${rows(keys)}`.execute(tx)
  }

  /** Gives leases back without an attempt, so that these rows can be claimed at once. */
  async release(keys: readonly Key[]): Promise<void> {
    const { table, rows } = this.#table
    if (keys.length > 0) await this.#write(sql`update ${sql.table(table)} set lease_until = null where ${rows(keys)}`)
  }

  /** Gives back the leases of relays that are dead: at the start and when one has died. */
  async releaseDead(): Promise<void> {
    const { table, leased } = this.#table
    // The condition of the partial index: those that wait are not read.
    await this.#write(
      sql`update ${sql.table(table)} set lease_until = null where ${leased} and ${ofDeadRelays(this.#db)}`,
    )
  }

  /**
   * Lets rows timed by this relay's clock wait as long as before the clock was set; what was due stays due. Times of other running relays
   * are by their own clocks, which were not set.
   * @returns how many rows
   */
  async move({ byMs, nowMs }: ClockStep): Promise<number> {
    const { table, leased } = this.#table
    // The relay that claimed a row last has written its times. A relay that runs alone is responsible for those of all before it.
    const timed = this.#ownOr(isAlone(this.#db))
    // What is later than both is what waits by either clock.
    const floorMs = Math.min(nowMs, nowMs - byMs)
    const moved = (column: RawBuilder<unknown>) => this.#db.words.larger(sql`${column} + ${byMs}`, sql`${nowMs}`)
    await this.#write(
      sql`update ${sql.table(table)} set lease_until = ${moved(sql`lease_until`)}
        where ${leased} and lease_until > ${floorMs} and ${timed}`,
    )
    // Away from the position of the next search: no row is moved twice.
    const order = byMs > 0 ? 'desc' : 'asc'
    return this.#each({ floorMs, order }, (part) => ({
      nextAt: moved(sql`next_at`),
      where: sql`${part.within} and ${timed}`,
    }))
  }

  /**
   * Rows scheduled later than the longest delay after their last attempt allows wait for that delay from now on: the clock was
   * ahead when they were written. Those of other running relays are left to them. @returns how many rows
   */
  shorten(limits: WaitLimits): Promise<number> {
    return this.#shorten(limits, this.#ownOr(ofDeadRelays(this.#db)))
  }

  /** When a relay has died: what it had under lease is free, and what it has timed by a clock that was ahead waits no longer than it may. */
  async takeOver(limits: Omit<WaitLimits, 'leaseMs'>): Promise<void> {
    await this.releaseDead()
    await this.#shorten({ ...limits, leaseMs: 0 }, ofDeadRelays(this.#db))
  }

  async #shorten({ nowMs, leaseMs, retrySeconds }: WaitLimits, free: RawBuilder<boolean>): Promise<number> {
    const { table, leased } = this.#table
    const leaseUntilMs = nowMs + leaseMs
    // Else PostgreSQL takes it for as small a number as the delay is.
    const now = sql`cast(${nowMs} as bigint)`
    await this.#write(
      sql`update ${sql.table(table)} set lease_until = ${leaseUntilMs}
        where ${leased} and lease_until > ${leaseUntilMs} and ${free}`,
    )
    return this.#each({ floorMs: nowMs, order: 'desc' }, (part) => {
      const delayMs = delayAfter(part.attempts, retrySeconds)
      // Retry-After doubles it at most, and up to a tenth comes by chance.
      const longestMs = sql`${delayMs} * 21 / 10`
      const where = sql`${part.within} and next_at > ${now} + ${longestMs} and ${free}`
      return { nextAt: sql`${now} + ${delayMs}`, where }
    })
  }

  /** Rows that this relay took last, and others besides. */
  #ownOr(others: RawBuilder<boolean>): RawBuilder<boolean> {
    const { replicaId } = this.#db
    return replicaId === null ? others : sql`(lease_by = ${replicaId} or ${others})`
  }

  #write(statement: RawBuilder<unknown>): Promise<unknown> {
    return this.#db.unit((tx) => statement.execute(tx))
  }

  /** Changes the matching rows whose `next_at` is later than `floorMs`, piece by piece in that order. */
  async #each(
    { floorMs, order }: { floorMs: number; order: 'asc' | 'desc' },
    changeOf: (part: WaitingPart) => Change,
  ): Promise<number> {
    let changed = 0
    for (const part of await this.#table.parts()) {
      const { nextAt, where } = changeOf(part)
      const change = { nextAt, where: sql`${where} and next_at > ${floorMs}`, keyed: part.keyed ?? sql`true` }
      let after: Place | null = null
      do {
        const piece: Place[] = await this.#piece(part, { floorMs, order, after, fits: change.where })
        const keys = piece.filter(({ fits }) => fits === 1).map(({ key }) => key)
        if (keys.length > 0) changed += await this.#db.unit((tx) => changeThem(tx, this.#table, { keys, ...change }))
        after = piece.length === PIECE ? (piece.at(-1) ?? null) : null
      } while (after !== null)
    }
    return changed
  }

  /** The next rows in the order of the index. Only read: a commit for each of what may be thousands of endpoints would delay orders. */
  async #piece({ index, within }: WaitingPart, { floorMs, order, after, fits }: Search): Promise<Place[]> {
    const { table, key } = this.#table
    const column = sql.ref(key)
    const way = sql.raw(order)
    const beyond = sql.raw(order === 'asc' ? '>' : '<')
    const goesOn = after === null ? sql`` : sql`and (next_at, ${column}) ${beyond} (${after.nextAt}, ${after.key})`
    const found =
      await sql<Place>`select next_at as "nextAt", ${column} as "key", case when ${fits} then 1 else 0 end as "fits"
      from ${sql.table(table)} ${this.#db.words.indexedBy(index)}
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

interface ChangeOfKeys extends Change {
  keyed: RawBuilder<unknown>
  keys: readonly (number | string)[]
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

/** `where` once more: a row may have changed since it was read. It is hidden from PostgreSQL, which would otherwise search by it instead of by the keys. */
async function changeThem(
  tx: Tx,
  { table, key }: Pick<OutboxTable<never>, 'table' | 'key'>,
  { keyed, keys, nextAt, where }: ChangeOfKeys,
): Promise<number> {
  const { numAffectedRows } = await sql`update ${sql.table(table)} set next_at = ${nextAt}
    where ${keyed} and ${sql.ref(key)} in (${sql.join(keys)}) and case when ${where} then 1 else 0 end = 1`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Milliseconds, as SQL: 0 before the first attempt, the last delay after all the others. */
function delayAfter(attempts: RawBuilder<unknown>, retrySeconds: readonly number[]): RawBuilder<unknown> {
  const cases = retrySeconds.map((seconds, at) => sql`when ${attempts} = ${at + 1} then ${seconds * 1_000}`)
  const last = (retrySeconds.at(-1) ?? 0) * 1_000
  return sql`case when ${attempts} <= 0 then 0 ${sql.join(cases, sql` `)} else ${last} end`
}
