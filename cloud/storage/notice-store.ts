// Mail to send: written in the transaction of the event that it reports, claimed with a lease by the relay that sends it.
import { type RawBuilder, sql } from 'kysely'
import type { AccountId, NoticeId } from '#shared/ids.ts'
import { Signal } from '#shared/signal.ts'
import type { RelayDatabase, Tx } from './database.ts'
import { isFree, OutboxRows, type OutboxTable } from './outbox-rows.ts'
import type { NoticesTable } from './schema-people.ts'

/** As it is stored: its content is sealed already. */
export type NewNotice = Pick<
  NoticesTable,
  'id' | 'account_id' | 'kind' | 'to_enc' | 'text_enc' | 'language' | 'expires_at' | 'created_at'
>

/** A notice that is leased to this program. */
export type ClaimedNotice = Pick<NoticesTable, 'id' | 'kind' | 'to_enc' | 'text_enc' | 'attempts' | 'expires_at'>

/** What came of an attempt. `next_at`: only of one that waits for the next. */
export type NoticeEnd =
  | { state: 'queued'; error: string; nextAtMs: number }
  | { state: 'sent'; error: null; nowMs: number }
  | { state: 'failed' | 'uncertain' | 'dropped'; error: string; nowMs: number }

/** As lists show it. */
export type ListedNotice = Pick<
  NoticesTable,
  | 'id'
  | 'account_id'
  | 'kind'
  | 'to_enc'
  | 'text_enc'
  | 'state'
  | 'attempts'
  | 'next_at'
  | 'error'
  | 'created_at'
  | 'settled_at'
>

const LISTED = [
  'id',
  'account_id',
  'kind',
  'to_enc',
  'text_enc',
  'state',
  'attempts',
  'next_at',
  'error',
  'created_at',
  'settled_at',
] as const

const WAITS = sql<boolean>`next_at is not null`

const TABLE: OutboxTable<NoticeId> = {
  table: 'notices',
  key: 'id',
  leased: sql`lease_until is not null`,
  rows: (ids) => sql`id in (${sql.join(ids)})`,
  parts: () => Promise.resolve([{ index: 'notices_due', within: WAITS, attempts: sql`attempts` }]),
}

/** In the transaction of the event: there is never one without the other. The caller fires `NoticeStore.changed` after the commit. */
export async function insertNotice(tx: Tx, notice: NewNotice): Promise<void> {
  await tx
    .insertInto('notices')
    .values({
      ...notice,
      state: 'queued',
      attempts: 0,
      next_at: notice.created_at,
      lease_until: null,
      lease_by: null,
      error: null,
      settled_at: null,
    })
    .execute()
}

export class NoticeStore extends OutboxRows<NoticeId> {
  /** A notice was written; fired by the code that committed it, after the commit. */
  readonly changed = new Signal()
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    super(db, TABLE)
    this.#db = db
  }

  /** Whether there is anything to claim, drop, keep or mark uncertain: a read costs less than an empty unit. */
  async hasDue(nowMs: number): Promise<boolean> {
    const row = await this.#db.read
      .selectFrom('notices')
      .select('id')
      .where(WAITS)
      .where('next_at', '<=', nowMs)
      .where(isFree('notices', nowMs))
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }

  /**
   * Leases notices that are due, those with the earliest end first: a code is useful for minutes, an alert for days. Their attempt
   * counts from now on.
   */
  async claim(
    tx: Tx,
    { nowMs, leaseUntilMs, limit }: { nowMs: number; leaseUntilMs: number; limit: number },
  ): Promise<ClaimedNotice[]> {
    const due = await tx
      .selectFrom('notices')
      .select(['id', 'kind', 'to_enc', 'text_enc', 'attempts', 'expires_at'])
      .where(WAITS)
      .where('state', '=', 'queued')
      .where('next_at', '<=', nowMs)
      .where('expires_at', '>', nowMs)
      .where(isFree('notices', nowMs))
      .orderBy('expires_at')
      .orderBy('id')
      .limit(limit)
      .forNoKeyUpdate()
      .skipLocked()
      .execute()
    const ids = due.map(({ id }) => id)
    await this.lease(tx, ids, leaseUntilMs)
    if (ids.length > 0)
      await tx
        .updateTable('notices')
        .set((e) => ({ attempts: e('attempts', '+', 1) }))
        .where('id', 'in', ids)
        .execute()
    return due.map((notice) => ({ ...notice, attempts: notice.attempts + 1 }))
  }

  /**
   * Ends what is not to be sent any more: what is too late, and what a relay was sending when it died.
   * @returns how many of each
   */
  async endOverdue(tx: Tx, nowMs: number): Promise<{ dropped: number; uncertain: number }> {
    const ended = async (state: 'dropped' | 'uncertain', error: string, where: RawBuilder<boolean>) => {
      const { numUpdatedRows } = await tx
        .updateTable('notices')
        // The error of an earlier attempt is more useful than that it was late.
        .set({ state, error: sql<string>`coalesce(error, ${error})`, ...OVER, settled_at: nowMs })
        .where(WAITS)
        .where(isFree('notices', nowMs))
        .where(where)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    }
    return {
      dropped: await ended('dropped', 'too_late', sql`state = 'queued' and expires_at <= ${nowMs}`),
      uncertain: await ended('uncertain', 'interrupted', sql`state = 'sending'`),
    }
  }

  /** No mail server is set up: what is due stays here to be read. @returns how many */
  async keep(tx: Tx, nowMs: number): Promise<number> {
    const { numUpdatedRows } = await tx
      .updateTable('notices')
      .set({ state: 'kept', ...OVER, settled_at: nowMs })
      .where(WAITS)
      .where('state', '=', 'queued')
      .where('next_at', '<=', nowMs)
      .where(isFree('notices', nowMs))
      .executeTakeFirst()
    return Number(numUpdatedRows)
  }

  /** Just before the first byte of it is given away. @returns false: another relay has it, for this one's lease had ended */
  async beginSending(tx: Tx, { id, attempts }: Pick<ClaimedNotice, 'id' | 'attempts'>): Promise<boolean> {
    const begun = await tx
      .updateTable('notices')
      .set({ state: 'sending' })
      .where('id', '=', id)
      .where('attempts', '=', attempts)
      .where('state', '=', 'queued')
      .executeTakeFirst()
    return begun.numUpdatedRows > 0n
  }

  /** Stores the result of an attempt. Of one that lost its lease, only the mail server's acceptance counts. */
  async settle(tx: Tx, { id, attempts }: Pick<ClaimedNotice, 'id' | 'attempts'>, end: NoticeEnd): Promise<void> {
    const columns =
      end.state === 'queued'
        ? { state: end.state, error: end.error, next_at: end.nextAtMs, lease_until: null }
        : { state: end.state, error: end.error, ...OVER, settled_at: end.nowMs }
    await tx.updateTable('notices').set(columns).where('id', '=', id).where('attempts', '=', attempts).execute()
  }

  /** The newest first. @param of.accountId null: of all accounts and people */
  async list(of: {
    accountId: AccountId | null
    states?: readonly NoticesTable['state'][]
    limit: number
  }): Promise<ListedNotice[]> {
    let rows = this.#db.read
      .selectFrom('notices')
      .select(LISTED)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(of.limit)
    if (of.accountId !== null) rows = rows.where('account_id', '=', of.accountId)
    if (of.states !== undefined) rows = rows.where('state', 'in', of.states)
    return rows.execute()
  }

  async find(tx: Tx, id: NoticeId): Promise<ListedNotice | null> {
    return (await tx.selectFrom('notices').select(LISTED).where('id', '=', id).executeTakeFirst()) ?? null
  }

  /** Those of one kind that were written for an account since then: how many, and when the first of them; epoch ms. */
  async written(
    tx: Tx,
    { accountId, kind, sinceMs }: { accountId: AccountId; kind: string; sinceMs: number },
  ): Promise<{ count: number; firstMs: number | null }> {
    const row = await tx
      .selectFrom('notices')
      .select((e) => [e.fn.countAll<number>().as('count'), e.fn.min('created_at').as('firstMs')])
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .where('created_at', '>', sinceMs)
      .executeTakeFirst()
    return { count: Number(row?.count ?? 0), firstMs: row?.firstMs ?? null }
  }

  /** How many there are of each of these states, counted up to `COUNTED_TO`, and since when the one waits that has waited longest. */
  async figures<S extends NoticesTable['state']>(
    of: readonly S[],
  ): Promise<{ states: Record<S, number>; waitingSinceMs: number | null }> {
    const states = {} as Record<S, number>
    // For a month of sent mail "many" is enough.
    for (const state of of) {
      const some = this.#db.read.selectFrom('notices').select('state').where('state', '=', state).limit(COUNTED_TO)
      const { n } = await this.#db.read
        .selectFrom(some.as('some'))
        .select((e) => e.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
      states[state] = Number(n)
    }
    const oldest = await this.#db.read
      .selectFrom('notices')
      // By the index of what waits: by age all mail of a month would be read.
      .select((e) => e.fn.min<number | null>(this.#db.words.unindexed('created_at')).as('at'))
      .where(WAITS)
      .executeTakeFirst()
    return { states, waitingSinceMs: oldest?.at ?? null }
  }

  /** @returns whether there are any that were written before then */
  async hasOlder(beforeMs: number): Promise<boolean> {
    const row = await this.#db.read
      .selectFrom('notices')
      .select('id')
      .where('created_at', '<', beforeMs)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }

  /** Deletes those that were written before then, at most so many. */
  async prune(tx: Tx, beforeMs: number, most: number): Promise<void> {
    await tx
      .deleteFrom('notices')
      .where('id', 'in', (q) =>
        q.selectFrom('notices').select('id').where('created_at', '<', beforeMs).orderBy('created_at').limit(most),
      )
      .execute()
  }
}

/** Mails of one state. */
export const COUNTED_TO = 1_000

const OVER = { next_at: null, lease_until: null }
