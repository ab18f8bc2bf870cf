// The database on PostgreSQL that takes everything over: one transaction from the first row to the last, so that it has all or nothing.
import { FileRefusal } from '#cloud/backup/file-refusal.ts'
import { MIGRATION_LOCK } from '#cloud/storage/postgres/migrate.ts'
import { postgresFault } from '#cloud/storage/postgres/postgres-fault.ts'
import type { ServerSession } from '#cloud/storage/postgres/server-session.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import { codeOf } from '#shared/code-of.ts'
import { RowSum } from './row-sum.ts'
import { OF_AN_EMPTY_RELAY, quoted, type Table, tablesThatMove } from './tables.ts'

/** A piece that is sent at once: it is built in memory on both sides. */
const PIECE_ROWS = 1_000
const PIECE_CHARACTERS = 2_000_000
const READ_ROWS = 500

type Waits = Pick<Clock, 'monotonicMs' | 'sleep'>
/** A program that has ended is gone for the server a moment later. */
const GONE_WITHIN_MS = 3_000
const LOOK_AGAIN_MS = 50

export class TargetServer {
  readonly #session: ServerSession

  constructor(session: ServerSession) {
    this.#session = session
  }

  /**
   * Begins the transaction. From here on relays that start on the database wait.
   * @param ownMove number of a move of the same file whose end was not confirmed. @returns epoch ms at which that one was done; null: the database is empty
   * @throws FileRefusal when it is in use, or not empty
   */
  async begin(tables: readonly Table[], clock: Waits, ownMove: number | null): Promise<number | null> {
    await alone(this.#session, clock)
    await this.#session.query('begin')
    // Of the user's or the database's own: they are for a relay's units.
    for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
      await this.#session.query(`set local ${limit} = 0`)
    const doneAtMs = await whenMoved(this.#session, tables, ownMove)
    if (doneAtMs !== null) return doneAtMs
    for (const name of OF_AN_EMPTY_RELAY) await this.#session.query(`delete from ${quoted(name)}`)
    return null
  }

  /** Writes all rows of a table in pieces. @returns their sum as they were sent */
  async fill(table: Table, rows: Iterable<readonly unknown[]>): Promise<RowSum> {
    const { name, columns } = table
    const statement = {
      name: `fill ${name}`.slice(0, 60),
      text: `insert into ${quoted(name)} (${columns.map((c) => quoted(c.name)).join()})
        select * from unnest(${columns.map((c, i) => `$${i + 1}::${c.type}[]`).join()})`,
    }
    const sum = new RowSum()
    let piece: unknown[][] = columns.map(() => [])
    let characters = 0
    const send = async (): Promise<void> => {
      if (piece[0]?.length === 0) return
      await this.#session.query({ ...statement, values: piece }).catch((error: unknown) => {
        throw refusedRow(name, error)
      })
      piece = columns.map(() => [])
      characters = 0
    }
    for (const row of rows) {
      sum.add(row)
      for (const [i, value] of row.entries()) {
        piece[i]?.push(value)
        characters += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
      }
      if (characters >= PIECE_CHARACTERS || (piece[0]?.length ?? 0) >= PIECE_ROWS) await send()
    }
    await send()
    return sum
  }

  /** The rows there now, read back in pieces. */
  async sumOf({ name, columns }: Table): Promise<RowSum> {
    const sum = new RowSum()
    const list = columns.map((column) => quoted(column.name)).join()
    await this.#session.query(`declare moved no scroll cursor for select ${list} from ${quoted(name)}`)
    for (;;) {
      const { rows } = await this.#session.query({ text: `fetch ${READ_ROWS} from moved`, rowMode: 'array' })
      for (const row of rows as unknown[][]) sum.add(row)
      if (rows.length < READ_ROWS) break
    }
    await this.#session.query('close moved')
    return sum
  }

  /** The next row that is numbered by the database comes after all that were. */
  async numberFrom({ name, identity }: Table, newest: number): Promise<void> {
    if (identity === null || newest < 1) return
    await this.#session.query('select setval(pg_get_serial_sequence($1, $2), $3)', [quoted(name), identity, newest])
  }

  /** Each merchant goes on where the one stream of SQLite ended: a place in it stays a place. */
  async positionsFrom({ head, forgotten }: { head: number; forgotten: number }): Promise<void> {
    await this.#session.query(
      `insert into event_positions (merchant_id, newest, forgotten) select id, $1::bigint, $2::bigint from merchants`,
      [head, forgotten],
    )
  }

  /** Records where the data came from. @param move its number */
  async mark({ head }: { head: number }, move: number, nowMs: number): Promise<void> {
    await this.#session.query(
      `insert into marks (name, at) values ('moved', $1), ('movedHead', $2), ('moveNumber', $3)`,
      [nowMs, head, move],
    )
  }

  /** @param notDone called when the server has confirmed that nothing was moved. @throws FileRefusal when it is not known whether it was done */
  async commit(notDone: () => void): Promise<void> {
    try {
      await this.#session.query('commit')
    } catch (error) {
      const fault = postgresFault(error)
      // Only the server's answer to the statement itself proves that it was undone.
      if (fault !== null && fault !== 'conflict' && fault !== 'again')
        throw new FileRefusal(
          'The connection was lost at the very end, and all may have been moved or nothing. Run the same command again: it moves everything, or says that it was done. Until then no relay starts on the file.',
        )
      notDone()
      throw error
    }
  }

  async rollback(): Promise<void> {
    await this.#session.query('rollback').catch(() => {})
  }

  /** So that the first queries are planned for tables of this size. */
  async analyze(): Promise<void> {
    await this.#session.query('analyze')
  }
}

/**
 * A relay that starts, or another move, waits or is refused until the session ends.
 * @throws FileRefusal when another one is there already
 */
async function alone(session: ServerSession, clock: Waits): Promise<void> {
  const untilMs = clock.monotonicMs() + GONE_WITHIN_MS
  while (!(await isAlone(session))) {
    if (clock.monotonicMs() > untilMs)
      throw new FileRefusal(
        'A relay, or another move, works on the database on PostgreSQL. Nothing was moved: stop it, and run the same command again.',
      )
    await clock.sleep(LOOK_AGAIN_MS)
  }
}

async function isAlone(session: ServerSession): Promise<boolean> {
  const { rows } = await session.query<{ alone: boolean }>(
    `select not exists (select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and application_name like 'ticketrail/%') and pg_try_advisory_lock($1) as alone`,
    [MIGRATION_LOCK],
  )
  return rows[0]?.alone === true
}

/** @returns null when it is empty; epoch ms when it has what this very move has put there. @throws FileRefusal when anything else is there */
async function whenMoved(
  session: ServerSession,
  tables: readonly Table[],
  ownMove: number | null,
): Promise<number | null> {
  const filled: string[] = []
  for (const { name } of tablesThatMove(tables)) {
    if (OF_AN_EMPTY_RELAY.includes(name)) continue
    const { rows } = await session.query(`select 1 from ${quoted(name)} limit 1`)
    if (rows.length > 0) filled.push(name)
  }
  if (filled.length === 0) return null
  const { rows } = await session.query<{ name: string; at: number }>(
    `select name, at from marks where name in ('moved', 'moveNumber')`,
  )
  const marks = new Map(rows.map(({ name, at }) => [name, Number(at)]))
  const movedAtMs = marks.get('moved')
  if (movedAtMs !== undefined && ownMove !== null && marks.get('moveNumber') === ownMove) return movedAtMs
  if (movedAtMs !== undefined)
    throw new FileRefusal(
      `The database on PostgreSQL was filled by a move at ${toIso(movedAtMs)}, whole. Nothing was done: start the relay on it.`,
    )
  throw new FileRefusal(
    `The database on PostgreSQL is not empty: there are rows in ${filled.join(', ')}. Nothing was moved: make a new database for the relay.`,
  )
}

/** Never the value: it may be a customer's. */
function refusedRow(table: string, error: unknown): unknown {
  const fault = postgresFault(error)
  if (fault !== null && fault !== 'conflict') return error
  return new FileRefusal(
    `PostgreSQL does not take a row of ${table} (${codeOf(error)}). Nothing was moved: look at the file by \`admin verify\`.`,
  )
}
