// Requests of accounts to the operator: live keys for the first time, or another plan.
import type { ExpressionBuilder } from 'kysely'
import type { AccountId } from '#shared/ids.ts'
import type { RelayDatabase, Tx } from './database.ts'
import type { NewRow, RelaySchema } from './schema.ts'
import type { AccountsTable } from './schema-accounts.ts'

export interface AccountRequestRow {
  accountId: AccountId
  wants: 'live' | AccountsTable['plan']
  text: string
  askedAtMs: number
}

export type WaitingAccount = Pick<AccountRequestRow, 'accountId' | 'askedAtMs'>

interface WaitingPage {
  /** The last one of the page before; null: the first page. */
  after: WaitingAccount | null
  limit: number
}

type RequestTable = 'live_requests' | 'plan_requests'

/** For the compiler: what the list needs has the same names and types in both. */
const alike = (table: RequestTable) => table as 'live_requests'

export class AccountRequestStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Accounts with open requests, the newest request first: an account with two is sorted by the newer one. */
  async waiting(page: WaitingPage): Promise<WaitingAccount[]> {
    const live = await this.#waitingFor('live_requests', page)
      .where((e) => e.not(e.exists(sameAccount(e, 'plan_requests').whereRef('o.asked_at', '>=', 'r.asked_at'))))
      .execute()
    const plans = await this.#waitingFor('plan_requests', page)
      .where((e) => e.not(e.exists(sameAccount(e, 'live_requests').whereRef('o.asked_at', '>', 'r.asked_at'))))
      .execute()
    const newest = [...live, ...plans].sort((a, b) => b.askedAtMs - a.askedAtMs || (a.accountId < b.accountId ? 1 : -1))
    return newest.slice(0, page.limit)
  }

  #waitingFor(table: RequestTable, { after, limit }: WaitingPage) {
    const query = this.#db.read
      .selectFrom(`${alike(table)} as r`)
      .select(['r.account_id as accountId', 'r.asked_at as askedAtMs'])
      .where('r.answered_at', 'is', null)
      .orderBy('r.asked_at', 'desc')
      .orderBy('r.account_id', 'desc')
      .limit(limit)
    if (after === null) return query
    return query.where((e) =>
      e(e.refTuple('r.asked_at', 'r.account_id'), '<', e.tuple(after.askedAtMs, after.accountId)),
    )
  }

  /** What these accounts wait for, oldest first. */
  async openOf(accountIds: readonly AccountId[]): Promise<AccountRequestRow[]> {
    if (accountIds.length === 0) return []
    const live = await this.#db.read
      .selectFrom('live_requests')
      .select(['account_id as accountId', 'text', 'asked_at as askedAtMs'])
      .where('account_id', 'in', accountIds)
      .where('answered_at', 'is', null)
      .execute()
    const plans = await this.#db.read
      .selectFrom('plan_requests')
      .select(['account_id as accountId', 'plan as wants', 'text', 'asked_at as askedAtMs'])
      .where('account_id', 'in', accountIds)
      .where('answered_at', 'is', null)
      .execute()
    return [...live.map((row) => ({ ...row, wants: 'live' as const })), ...plans].sort(
      (a, b) => a.askedAtMs - b.askedAtMs,
    )
  }

  /** The plan that the account waits for; null: none. */
  async wantedPlan(accountId: AccountId): Promise<AccountRequestRow | null> {
    const row = await this.#db.read
      .selectFrom('plan_requests')
      .select(['account_id as accountId', 'plan as wants', 'text', 'asked_at as askedAtMs'])
      .where('account_id', '=', accountId)
      .where('answered_at', 'is', null)
      .executeTakeFirst()
    return row ?? null
  }

  /** Since when the account has requested live keys; null: no open request. */
  async liveAskedAt(accountId: AccountId): Promise<number | null> {
    const row = await this.#db.read
      .selectFrom('live_requests')
      .select('asked_at')
      .where('account_id', '=', accountId)
      .where('answered_at', 'is', null)
      .executeTakeFirst()
    return row?.asked_at ?? null
  }

  /** In place of what the account asked for before. */
  async askLive(tx: Tx, row: Pick<NewRow<'live_requests'>, 'account_id' | 'text' | 'asked_at'>): Promise<void> {
    const { text, asked_at } = row
    await tx
      .insertInto('live_requests')
      .values({ ...row, answered_at: null, answer: null })
      .onConflict((conflict) =>
        conflict.column('account_id').doUpdateSet({ text, asked_at, answered_at: null, answer: null }),
      )
      .execute()
  }

  /** In place of what the account asked for before. */
  async askPlan(tx: Tx, row: NewRow<'plan_requests'>): Promise<void> {
    const { plan, text, asked_at } = row
    await tx
      .insertInto('plan_requests')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('account_id').doUpdateSet({ plan, text, asked_at, answered_at: null, answer: null }),
      )
      .execute()
  }

  /** Answers all that the account waits for. @returns how many those were */
  async answer(
    tx: Tx,
    accountId: AccountId,
    { answer, atMs }: { answer: 'approved' | 'refused'; atMs: number },
  ): Promise<number> {
    let answered = 0
    for (const table of ['live_requests', 'plan_requests'] as const) {
      const rows = await tx
        .updateTable(table)
        .set({ answered_at: atMs, answer })
        .where('account_id', '=', accountId)
        .where('answered_at', 'is', null)
        .returning('account_id')
        .execute()
      answered += rows.length
    }
    return answered
  }

  /** Live merchants and calls of the month (`2026-11`) of these accounts; accounts without any are in neither. */
  async figures(
    accountIds: readonly AccountId[],
    month: string,
  ): Promise<{ merchants: Map<AccountId, number>; calls: Map<AccountId, number> }> {
    if (accountIds.length === 0) return { merchants: new Map(), calls: new Map() }
    const merchants = await this.#db.read
      .selectFrom('merchants')
      .select((e) => ['account_id as id', e.fn.countAll<number>().as('n')])
      .where('account_id', 'in', accountIds)
      .where('environment', '=', 'live')
      .groupBy('account_id')
      .execute()
    const calls = await this.#db.read
      .selectFrom('usage_days')
      .select((e) => ['account_id as id', e.fn.sum<number>('calls').as('n')])
      .where('account_id', 'in', accountIds)
      .where('day', '>=', `${month}-01`)
      .where('day', '<=', `${month}-31`)
      .groupBy('account_id')
      .execute()
    return { merchants: byId(merchants), calls: byId(calls) }
  }
}

/** What the account of request `r` waits for in the other table. */
function sameAccount(
  e: ExpressionBuilder<RelaySchema & { r: RelaySchema['live_requests'] }, 'r'>,
  other: RequestTable,
) {
  return e
    .selectFrom(`${alike(other)} as o`)
    .select('o.account_id')
    .whereRef('o.account_id', '=', 'r.account_id')
    .where('o.answered_at', 'is', null)
}

function byId(rows: readonly { id: AccountId; n: number }[]): Map<AccountId, number> {
  return new Map(rows.map(({ id, n }) => [id, Number(n)]))
}
