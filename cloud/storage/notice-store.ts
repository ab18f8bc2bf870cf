// Mail to send: written in the transaction of the event that it reports, claimed with a lease by the relay that sends it.
import {
  type AccountId,
  derivedId,
  type MerchantKey,
  type NoticeId,
  type ServiceOrderId,
  timeOfId,
} from '#shared/ids.ts'
import { Signal } from '#shared/signal.ts'
import type { Db, RelayDatabase, Tx } from './database.ts'
import { MessageRows } from './message-rows.ts'
import type { NoticesTable } from './schema-people.ts'
import type { NewText } from './text-store.ts'

/** As it is stored: its content is sealed already. `end`: as of a text message. */
export type NewNotice = Pick<
  NoticesTable,
  'id' | 'account_id' | 'merchant_id' | 'kind' | 'to_enc' | 'text_enc' | 'language' | 'expires_at' | 'created_at'
> &
  Pick<NewText, 'end'>

/** A notice that is leased to this program. */
export type ClaimedNotice = Pick<NoticesTable, 'id' | 'kind' | 'to_enc' | 'text_enc' | 'attempts' | 'expires_at'>

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

/** The mail that tells an order's customer that it is ready: there is one. */
export function readyMailId(orderId: ServiceOrderId): NoticeId {
  return derivedId('ntc', timeOfId(orderId), `order-ready ${orderId}`)
}

/** In the transaction of the event: there is never one without the other. The caller fires `NoticeStore.changed` after the commit. */
export async function insertNotice(tx: Tx, { end, ...notice }: NewNotice): Promise<void> {
  await tx
    .insertInto('notices')
    .values({
      ...notice,
      ...(end === null
        ? { state: 'queued', next_at: notice.created_at, error: null, settled_at: null }
        : { ...end, next_at: null, settled_at: notice.created_at }),
      attempts: 0,
      lease_until: null,
      lease_by: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

export class NoticeStore extends MessageRows<NoticeId, ClaimedNotice> {
  /** A notice was written; fired by the code that committed it, after the commit. */
  readonly changed = new Signal()
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    super(db, { table: 'notices', due: 'notices_due', claims: [] })
    this.#db = db
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

  async find(on: Db | Tx, id: NoticeId): Promise<ListedNotice | null> {
    return (await on.selectFrom('notices').select(LISTED).where('id', '=', id).executeTakeFirst()) ?? null
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

  /** How many of one kind left, or wait, since then, of those to a merchant's customers. Counted up to `most`. */
  async writtenOf(
    tx: Tx,
    { merchantKey, kind, sinceMs, most }: { merchantKey: MerchantKey; kind: string; sinceMs: number; most: number },
  ): Promise<number> {
    const some = tx
      .selectFrom('notices')
      .select('id')
      .where('merchant_id', '=', merchantKey)
      .where('kind', '=', kind)
      .where('created_at', '>', sinceMs)
      .where('state', '<>', 'dropped')
      .limit(most)
    const { n } = await tx
      .selectFrom(some.as('some'))
      .select((e) => e.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return Number(n)
  }
}
