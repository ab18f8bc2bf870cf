// Row locks of a unit: a row that is read, changed and written back stays locked until the COMMIT. SQLite has one writer and needs none.
//
// All units take them in this order, so that no two wait for each other:
//   names, sorted -> account -> merchant -> order -> catalog items by umsId -> gateway -> dispatches -> endpoint -> listener ->
//   deliveries -> positions of events -> register
//   replica -> leases by name -> shards
//   name of a restaurant's calls -> call -> knowledge entry; an order by voice: all of the first -> call
//   account -> code of a mail or link, or sign-in of a device -> user -> passkey
// If two units wait for each other all the same, PostgreSQL aborts one of them (deadlock), and it is run again.
//
// `for no key update` and not `for update`: a row that points to the one that is held can be inserted meanwhile.
import { type Compilable, type OperationNodeSource, sql } from 'kysely'
import { type Db, isUnit, prepared, type Tx, wordsOf } from './database.ts'
import type { DialectWords } from './dialect-words.ts'

/** Holds the row with this id. One that does not exist holds nothing. */
export async function holdRow(
  tx: Tx,
  table: 'accounts' | 'merchants' | 'orders' | 'gateways' | 'webhook_endpoints',
  id: string,
): Promise<void> {
  if (!wordsOf(tx).locksRows) return
  await sql`select from ${sql.table(table)} where id = ${id} for no key update`.execute(tx)
}

/** One unit at a time has this name: for what has no row yet. */
export async function holdName(tx: Tx, ...name: readonly string[]): Promise<void> {
  if (!wordsOf(tx).locksRows) return
  await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(name)}, 0))`.execute(tx)
}

/** No call of this restaurant begins beside this unit: it began before, or begins after. */
export function holdCallsOf(tx: Tx, merchantKey: string): Promise<void> {
  return holdName(tx, 'calls of a restaurant', merchantKey)
}

/** Several names, sorted, in one statement. */
export async function holdNames(tx: Tx, names: readonly (readonly string[])[]): Promise<void> {
  if (!wordsOf(tx).locksRows || names.length === 0) return
  const sorted = [...new Set(names.map((name) => JSON.stringify(name)))].toSorted()
  await sql`select pg_advisory_xact_lock(hashtextextended(name, 0))
    from json_array_elements_text(${JSON.stringify(sorted)}::json) as names(name)`.execute(tx)
}

interface Lockable<R> extends Compilable<R>, OperationNodeSource {
  // biome-ignore lint/suspicious/noExplicitAny: the tables of the query, which differ from query to query
  forNoKeyUpdate(of?: any): Compilable<R> & OperationNodeSource
}

/**
 * Like `prepared`, for a query of rows that are going to be changed: in a unit they are held, outside of one they are only read.
 * @param of the table that is held, as the query names it; absent: all of its tables
 */
export function holding<R>(
  // biome-ignore lint/suspicious/noExplicitAny: a parameter stands for a value of any column type
  build: (param: (name: string) => any, words: DialectWords) => Lockable<R>,
  of?: string,
): (on: Db | Tx, values: Readonly<Record<string, unknown>>) => Promise<R[]> {
  const read = prepared(build)
  const held = prepared((p, words) => build(p, words).forNoKeyUpdate(of))
  return (on, values) => (isUnit(on) && wordsOf(on).locksRows ? held : read)(on, values)
}

/** The next event of this merchant gets its position in this unit or later. */
export async function holdPositions(tx: Tx, merchant: string): Promise<void> {
  if (!wordsOf(tx).positionsByMerchant) return
  await sql`insert into event_positions as p (merchant_id, newest) values (${merchant}, 0)
    on conflict (merchant_id) do update set newest = p.newest`.execute(tx)
}
