// Counted calls by key and day, and webhook events by hour.
import { sql } from 'kysely'
import type { AccountId, KeyId } from '#shared/ids.ts'
import type { RelayDatabase, Tx } from './database.ts'

export interface CallCount {
  accountId: AccountId
  environment: 'sandbox' | 'live'
  keyId: KeyId
  /** `2026-11-20`, UTC. */
  day: string
  calls: number
}

export class UsageStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Adds to what is there. Always in one order, so that two that add do not wait for each other. */
  async add(tx: Tx, counts: readonly CallCount[]): Promise<void> {
    for (const { accountId, environment, keyId, day, calls } of counts.toSorted((a, b) =>
      nameOf(a) < nameOf(b) ? -1 : 1,
    )) {
      await tx
        .insertInto('usage_days')
        .values({ account_id: accountId, environment, day, key_id: keyId, calls })
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'environment', 'day', 'key_id'])
            .doUpdateSet({ calls: sql`usage_days.calls + excluded.calls` }),
        )
        .execute()
    }
  }

  /** Calls of each day of the month that had some, in order. @param month `2026-11` */
  async days(
    accountId: AccountId,
    environment: 'sandbox' | 'live',
    month: string,
  ): Promise<{ day: string; calls: number }[]> {
    return this.#db.read
      .selectFrom('usage_days')
      .select((e) => ['day', e.fn.sum<number>('calls').as('calls')])
      .where('account_id', '=', accountId)
      .where('environment', '=', environment)
      .where('day', '>=', `${month}-01`)
      .where('day', '<=', `${month}-31`)
      .groupBy('day')
      .orderBy('day')
      .execute()
  }

  /** Webhook events that were sent from `fromMs` on and before `toMs`, by whole hours. */
  async webhookEvents(
    accountId: AccountId,
    environment: 'sandbox' | 'live',
    range: { fromMs: number; toMs: number },
  ): Promise<number> {
    const row = await this.#db.read
      .selectFrom('webhook_hours')
      .select((e) => e.fn.sum<number | null>('sent').as('sent'))
      .where('account_id', '=', accountId)
      .where('environment', '=', environment)
      .where('hour', '>=', range.fromMs)
      .where('hour', '<', range.toMs)
      .executeTakeFirst()
    return row?.sent ?? 0
  }

  /** Months in which the account made live calls, oldest first. */
  async liveMonths(accountId: AccountId): Promise<string[]> {
    const rows = await this.#db.read
      .selectFrom('usage_days')
      .select(sql<string>`substr(day, 1, 7)`.as('month'))
      .distinct()
      .where('account_id', '=', accountId)
      .where('environment', '=', 'live')
      .orderBy('month')
      .execute()
    return rows.map((row) => row.month)
  }
}

const nameOf = ({ keyId, day }: CallCount): string => `${keyId} ${day}`
