// Rows with an `expires_at`: whether some have expired, and their deletion in pieces, for every store that has them.
import { sql } from 'kysely'
import type { RelayDatabase, Tx } from './database.ts'

/** A table with an `expires_at`, and the one column of its primary key. */
export interface ExpiringTable {
  table: 'device_sign_ins' | 'email_codes' | 'sign_in_tries' | 'spent_challenges'
  key: 'id' | 'key_hash' | 'challenge_hash'
}

/** Whether a row expired at `nowMs` or before. */
export async function hasExpiredRow(
  { read }: RelayDatabase,
  { table }: ExpiringTable,
  nowMs: number,
): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} where expires_at <= ${nowMs} limit 1`.execute(read)
  return rows.length > 0
}

/** Deletes up to `limit` of them. */
export async function deleteExpired(
  tx: Tx,
  { table, key }: ExpiringTable,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<void> {
  await sql`delete from ${sql.table(table)} where ${sql.ref(key)} in
    (select ${sql.ref(key)} from ${sql.table(table)} where expires_at <= ${nowMs} limit ${limit})`.execute(tx)
}
