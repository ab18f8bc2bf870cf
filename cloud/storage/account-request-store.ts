// What accounts ask those who run the relay for: live keys for the first time, or another plan.
import type { AccountId } from '#shared/ids.ts'
import type { RelayDatabase, Tx } from './database.ts'
import type { NewRow } from './schema.ts'
import type { AccountsTable } from './schema-accounts.ts'

export interface AccountRequestRow {
  accountId: AccountId
  wants: 'live' | AccountsTable['plan']
  text: string
  askedAtMs: number
}

export class AccountRequestStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Those without an answer, oldest first. */
  async open(): Promise<AccountRequestRow[]> {
    const live = await this.#db.read
      .selectFrom('live_requests')
      .select(['account_id as accountId', 'text', 'asked_at as askedAtMs'])
      .where('answered_at', 'is', null)
      .orderBy('asked_at')
      .execute()
    const plans = await this.#db.read
      .selectFrom('plan_requests')
      .select(['account_id as accountId', 'plan as wants', 'text', 'asked_at as askedAtMs'])
      .where('answered_at', 'is', null)
      .orderBy('asked_at')
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

  /** Since when the account waits for live keys; null: it does not. */
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

  /** Live merchants and calls of the month (`2026-11`) of these accounts; who has none stands in neither. */
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

function byId(rows: readonly { id: AccountId; n: number }[]): Map<AccountId, number> {
  return new Map(rows.map(({ id, n }) => [id, Number(n)]))
}
