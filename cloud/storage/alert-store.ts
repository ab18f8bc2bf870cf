// Alerts and the rules about them. Each change names the expected state, so that of two relays only one makes it.
import { sql } from 'kysely'
import type { AccountId, AlertId, UserId } from '#shared/ids.ts'
import type { RelayDatabase, Tx } from './database.ts'
import type { NewRow } from './schema.ts'
import type { AlertRulesTable, AlertsTable } from './schema-alerts.ts'
import type { UsersTable } from './schema-people.ts'

/** Of an open alert, what is compared with what is wrong now. */
export type OpenAlert = Pick<
  AlertsTable,
  'id' | 'account_id' | 'merchant_id' | 'kind' | 'subject' | 'details' | 'since' | 'begun_at' | 'mailed'
>

/** For people: with the merchant that it is about; null: none. */
export type ShownAlert = Pick<AlertsTable, 'id' | 'kind' | 'subject' | 'details' | 'since'> & {
  public_id: string | null
  name: string | null
  environment: 'sandbox' | 'live' | null
}

export type Recipient = Pick<UsersTable, 'email' | 'language'>

const OPEN = ['id', 'account_id', 'merchant_id', 'kind', 'subject', 'details', 'since', 'begun_at', 'mailed'] as const
/** Ids in one query. */
const PIECE = 500

export class AlertStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** All that are open, of these kinds. */
  async open(kinds: readonly string[]): Promise<OpenAlert[]> {
    return this.#db.read
      .selectFrom('alerts')
      .select(OPEN)
      .where('ended_at', 'is', null)
      .where('kind', 'in', kinds)
      .execute()
  }

  /** Open alerts of an account; null: those for operators. */
  async shown(accountId: AccountId | null): Promise<ShownAlert[]> {
    return this.#db.read
      .selectFrom('alerts as a')
      .leftJoin('merchants as m', 'm.id', 'a.merchant_id')
      .select(['a.id', 'a.kind', 'a.subject', 'a.details', 'a.since', 'm.public_id', 'm.name', 'm.environment'])
      .where('a.ended_at', 'is', null)
      .where('a.account_id', accountId === null ? 'is' : '=', accountId)
      .where('a.begun_at', 'is not', null)
      .execute()
  }

  /** @returns false: there is an open one of this kind and subject */
  async insert(tx: Tx, row: NewRow<'alerts'>): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('alerts')
      .values(row)
      .onConflict((on) => on.columns(['kind', 'subject']).where('ended_at', 'is', null).doNothing())
      .executeTakeFirst()
    return (numInsertedOrUpdatedRows ?? 0n) > 0n
  }

  /** It has lasted long enough. @returns false: another relay has recorded that, or it has ended */
  async begin(
    tx: Tx,
    id: AlertId,
    { details, nowMs, isMailed }: { details: string; nowMs: number; isMailed: boolean },
  ): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('alerts')
      .set({ begun_at: nowMs, details, mailed: isMailed ? 1 : 0 })
      .where('id', '=', id)
      .where('begun_at', 'is', null)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** The values in its sentences have changed. */
  async restate(tx: Tx, id: AlertId, details: string): Promise<void> {
    await tx.updateTable('alerts').set({ details }).where('id', '=', id).where('ended_at', 'is', null).execute()
  }

  /** @returns false: another relay has ended it */
  async end(tx: Tx, id: AlertId, nowMs: number): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('alerts')
      .set({ ended_at: nowMs })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** One that ended before it began: as if it had never been. */
  async drop(tx: Tx, id: AlertId): Promise<void> {
    await tx.deleteFrom('alerts').where('id', '=', id).where('begun_at', 'is', null).execute()
  }

  /** Rules of these accounts. */
  async rules(accountIds: readonly AccountId[]): Promise<AlertRulesTable[]> {
    const rows: AlertRulesTable[] = []
    for (let from = 0; from < accountIds.length; from += PIECE)
      rows.push(
        ...(await this.#db.read
          .selectFrom('alert_rules')
          .selectAll()
          .where('account_id', 'in', accountIds.slice(from, from + PIECE))
          .execute()),
      )
    return rows
  }

  async rule(tx: Tx, of: Pick<AlertRulesTable, 'account_id' | 'merchant_id' | 'kind'>) {
    const row = await tx
      .selectFrom('alert_rules')
      .selectAll()
      .where('account_id', '=', of.account_id)
      .where('merchant_id', '=', of.merchant_id)
      .where('kind', '=', of.kind)
      .executeTakeFirst()
    return row ?? null
  }

  async putRule(tx: Tx, row: AlertRulesTable): Promise<void> {
    const { is_on, after_minutes, recipients, muted_until } = row
    await tx
      .insertInto('alert_rules')
      .values(row)
      .onConflict((on) =>
        on
          .columns(['account_id', 'merchant_id', 'kind'])
          .doUpdateSet({ is_on, after_minutes, recipients, muted_until }),
      )
      .execute()
  }

  /** What counts without it counts again. */
  async removeRule(tx: Tx, of: Pick<AlertRulesTable, 'account_id' | 'merchant_id' | 'kind'>): Promise<void> {
    await tx
      .deleteFrom('alert_rules')
      .where('account_id', '=', of.account_id)
      .where('merchant_id', '=', of.merchant_id)
      .where('kind', '=', of.kind)
      .execute()
  }

  /** Members of the account who can sign in: the named ones, or its owners. */
  async recipients(tx: Tx, accountId: AccountId, named: readonly UserId[] | null): Promise<Recipient[]> {
    const members = tx
      .selectFrom('memberships as m')
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .select(['u.email', 'u.language'])
      .where('m.account_id', '=', accountId)
      .where('u.disabled_at', 'is', null)
      .orderBy('u.id')
    if (named === null) return members.where('m.role', '=', 'owner').execute()
    return named.length === 0 ? [] : members.where('u.id', 'in', named).execute()
  }

  /** The operators. */
  async operators(tx: Tx): Promise<Recipient[]> {
    return tx
      .selectFrom('users')
      .select(['email', 'language'])
      .where('is_operator', '=', 1)
      .where('disabled_at', 'is', null)
      .orderBy('id')
      .execute()
  }

  /** @returns whether there are any that ended before then */
  async hasOlder(beforeMs: number): Promise<boolean> {
    const row = await this.#db.read
      .selectFrom('alerts')
      .select('id')
      .where('ended_at', '<', beforeMs)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }

  /** Deletes those that ended before then, at most so many. */
  async prune(tx: Tx, beforeMs: number, most: number): Promise<void> {
    await sql`delete from alerts where id in
      (select id from alerts where ended_at < ${beforeMs} order by ended_at limit ${most})`.execute(tx)
  }
}
