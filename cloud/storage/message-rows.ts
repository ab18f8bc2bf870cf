// What mail and text messages have in common in the database: rows that are claimed with a lease, marked before the first byte of them leaves, and
// settled with what came of it. A receiver that cannot recognise a repetition gets none: what may have left is `uncertain`.
import { type RawBuilder, sql } from 'kysely'
import type { RelayDatabase, Tx } from './database.ts'
import { isFree, OutboxRows } from './outbox-rows.ts'
import type { NoticesTable } from './schema-people.ts'

/** What every row has, whatever it is. */
export type MessageState = NoticesTable['state']

interface Attempt<Id> {
  id: Id
  attempts: number
}

/** What came of an attempt. `next_at`: only of one that waits for the next. */
export type MessageEnd =
  | { state: 'queued'; error: string; nextAtMs: number }
  /** It is still not known whether it left: that is asked again then. */
  | { state: 'sending'; error: string; nextAtMs: number }
  /** `providerId`: the receiver's own id of it, if it has one. */
  | { state: 'sent'; error: null; nowMs: number; providerId?: string }
  | { state: 'failed' | 'uncertain' | 'dropped'; error: string; nowMs: number }

export interface MessageTable {
  table: 'notices' | 'text_messages'
  /** The partial index of those that wait, by `next_at`. */
  due: string
  /** Columns of a claimed row besides `id`, `kind`, `to_enc`, `text_enc`, `attempts` and `expires_at`. */
  claims: readonly string[]
  /** The receiver has told what became of these: the result of an attempt says nothing new. */
  isTold?: RawBuilder<boolean>
}

export const WAITS = sql<boolean>`next_at is not null`

/** Messages of one state are counted up to here. */
export const COUNTED_TO = 1_000

/** @param Claimed a message that is leased to this program */
export class MessageRows<Id extends string, Claimed extends Attempt<Id>> extends OutboxRows<Id> {
  readonly #db: RelayDatabase
  /** Both tables have the columns that are used here. */
  readonly #table: 'notices'
  readonly #claims: readonly 'id'[]
  readonly #isTold: RawBuilder<boolean>

  constructor(db: RelayDatabase, { table, due, claims, isTold = sql`1 = 0` }: MessageTable) {
    super(db, {
      table,
      key: 'id',
      leased: sql`lease_until is not null`,
      rows: (ids) => sql`id in (${sql.join(ids)})`,
      parts: () => Promise.resolve([{ index: due, within: WAITS, attempts: sql`attempts` }]),
    })
    this.#db = db
    this.#table = table as 'notices'
    this.#claims = claims as readonly 'id'[]
    this.#isTold = isTold
  }

  /** Whether there is anything to claim, drop, keep or mark uncertain: a read costs less than an empty unit. */
  async hasDue(nowMs: number): Promise<boolean> {
    const row = await this.#db.read
      .selectFrom(this.#table)
      .select('id')
      .where(WAITS)
      .where('next_at', '<=', nowMs)
      .where(isFree(this.#table, nowMs))
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }

  /**
   * Leases messages that are due, those with the earliest end first: a code is useful for minutes, an alert for days. Their attempt
   * counts from now on.
   */
  async claim(
    tx: Tx,
    { nowMs, leaseUntilMs, limit }: { nowMs: number; leaseUntilMs: number; limit: number },
  ): Promise<Claimed[]> {
    const due = await this.#leased(tx, { nowMs, leaseUntilMs, limit }, sql`state = 'queued' and expires_at > ${nowMs}`)
    const ids = due.map(({ id }) => id)
    if (ids.length > 0)
      await tx
        .updateTable(this.#table)
        .set((e) => ({ attempts: e('attempts', '+', 1) }))
        .where(sql<boolean>`id in (${sql.join(ids)})`)
        .execute()
    return due.map((message) => ({ ...message, attempts: message.attempts + 1 }))
  }

  /**
   * Leases messages that a relay was sending when it died, to ask what became of them. It is no new attempt: if that relay lives after all,
   * its own answer counts too.
   */
  claimInterrupted(tx: Tx, times: { nowMs: number; leaseUntilMs: number; limit: number }): Promise<Claimed[]> {
    return this.#leased(tx, times, sql`state = 'sending'`)
  }

  async #leased(
    tx: Tx,
    { nowMs, leaseUntilMs, limit }: { nowMs: number; leaseUntilMs: number; limit: number },
    where: RawBuilder<boolean>,
  ): Promise<Claimed[]> {
    const due = (await tx
      .selectFrom(this.#table)
      .select(['id', 'kind', 'to_enc', 'text_enc', 'attempts', 'expires_at', ...this.#claims])
      .where(WAITS)
      .where(where)
      .where('next_at', '<=', nowMs)
      .where(isFree(this.#table, nowMs))
      .orderBy('expires_at')
      .orderBy('id')
      .limit(limit)
      .forNoKeyUpdate()
      .skipLocked()
      .execute()) as unknown as Claimed[]
    await this.lease(
      tx,
      due.map(({ id }) => id),
      leaseUntilMs,
    )
    return due
  }

  /**
   * Ends what is not to be sent any more: what is too late, and what a relay was sending when it died.
   * @param looksUp the receiver can be asked about the latter: they are left to `claimInterrupted`
   * @returns how many of each
   */
  async endOverdue(tx: Tx, nowMs: number, { looksUp = false } = {}): Promise<{ dropped: number; uncertain: number }> {
    const ended = async (state: 'dropped' | 'uncertain', error: string, where: RawBuilder<boolean>) => {
      const { numUpdatedRows } = await tx
        .updateTable(this.#table)
        // The error of an earlier attempt is more useful than that it was late.
        .set({ state, error: sql<string>`coalesce(error, ${error})`, ...OVER, settled_at: nowMs })
        .where(WAITS)
        .where(isFree(this.#table, nowMs))
        .where(where)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    }
    return {
      dropped: await ended('dropped', 'too_late', sql`state = 'queued' and expires_at <= ${nowMs}`),
      uncertain: looksUp ? 0 : await ended('uncertain', 'interrupted', sql`state = 'sending'`),
    }
  }

  /** Nothing is set up that sends: what is due stays here to be read. @returns how many */
  async keep(tx: Tx, nowMs: number): Promise<number> {
    const { numUpdatedRows } = await tx
      .updateTable(this.#table)
      .set({ state: 'kept', ...OVER, settled_at: nowMs })
      .where(WAITS)
      .where('state', '=', 'queued')
      .where('next_at', '<=', nowMs)
      .where(isFree(this.#table, nowMs))
      .executeTakeFirst()
    return Number(numUpdatedRows)
  }

  /** Just before the first byte of it is given away. @returns false: another relay has it, for this one's lease had ended */
  async beginSending(tx: Tx, { id, attempts }: Attempt<Id>): Promise<boolean> {
    const begun = await tx
      .updateTable(this.#table)
      .set({ state: 'sending' })
      .where(isIt(id))
      .where('attempts', '=', attempts)
      .where('state', '=', 'queued')
      .executeTakeFirst()
    return begun.numUpdatedRows > 0n
  }

  /**
   * Stores the result of an attempt. Of one that lost its lease, only the receiver's acceptance counts; what the receiver has told since
   * counts more than either.
   */
  async settle(tx: Tx, { id, attempts }: Attempt<Id>, end: MessageEnd): Promise<void> {
    const columns =
      'nextAtMs' in end
        ? { state: end.state, error: end.error, next_at: end.nextAtMs, lease_until: null }
        : { state: end.state, error: end.error, ...OVER, settled_at: end.nowMs }
    await tx
      .updateTable(this.#table)
      .set({ ...columns, ...('providerId' in end && { provider_id: end.providerId }) })
      .where(isIt(id))
      .where('attempts', '=', attempts)
      .where(sql<boolean>`not (${this.#isTold})`)
      .execute()
  }

  /** How many there are of each of these states, counted up to `COUNTED_TO`, and since when the one waits that has waited longest. */
  async figures<S extends MessageState>(
    of: readonly S[],
  ): Promise<{ states: Record<S, number>; waitingSinceMs: number | null }> {
    const states = {} as Record<S, number>
    // For a month of sent messages "many" is enough.
    for (const state of of) {
      const some = this.#db.read.selectFrom(this.#table).select('state').where('state', '=', state).limit(COUNTED_TO)
      const { n } = await this.#db.read
        .selectFrom(some.as('some'))
        .select((e) => e.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
      states[state] = Number(n)
    }
    const oldest = await this.#db.read
      .selectFrom(this.#table)
      // By the index of what waits: by age all messages of a month would be read.
      .select((e) => e.fn.min<number | null>(this.#db.words.unindexed('created_at')).as('at'))
      .where(WAITS)
      .executeTakeFirst()
    return { states, waitingSinceMs: oldest?.at ?? null }
  }

  /** @returns whether there are any that were written before then */
  async hasOlder(beforeMs: number): Promise<boolean> {
    const row = await this.#db.read
      .selectFrom(this.#table)
      .select('id')
      .where('created_at', '<', beforeMs)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }

  /** Deletes those that were written before then, at most so many. */
  async prune(tx: Tx, beforeMs: number, most: number): Promise<void> {
    await tx
      .deleteFrom(this.#table)
      .where('id', 'in', (q) =>
        q.selectFrom(this.#table).select('id').where('created_at', '<', beforeMs).orderBy('created_at').limit(most),
      )
      .execute()
  }
}

const OVER = { next_at: null, lease_until: null }

const isIt = (id: string) => sql<boolean>`id = ${id}`
