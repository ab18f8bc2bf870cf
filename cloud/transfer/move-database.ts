// Moves everything that a stopped relay keeps in its SQLite file into a database on PostgreSQL: all of it, compared at the end, or nothing.
import { randomInt } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { FileRefusal } from '#cloud/backup/file-refusal.ts'
import { inThread } from '#cloud/backup/in-thread.ts'
import { PostgresDatabase } from '#cloud/storage/postgres/postgres-database.ts'
import { onServer, type ServerSession } from '#cloud/storage/postgres/server-session.ts'
import { MOVING, movedFile } from '#cloud/storage/sqlite/sqlite-database.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import { syncPath } from '#shared/disk/sync-path.ts'
import type { RowSum } from './row-sum.ts'
import { SourceFile } from './source-file.ts'
import { OF_ONE_ENGINE, type Table, tablesInOrder, tablesThatMove } from './tables.ts'
import { TargetServer } from './target-server.ts'

export interface MoveOptions {
  /** SQLite file of a relay that is stopped. */
  from: string
  /** `postgres://...` of an empty database. */
  to: string
  clock: Pick<Clock, 'now' | 'monotonicMs' | 'sleep'>
  /** A line of what has been done. */
  tell: (line: string) => void
}

export interface MovedTable {
  table: string
  rows: number
  /** The same on both engines: row-sum.ts. */
  sum: string
}

export interface Moved {
  from: string
  tables: MovedTable[]
  rows: number
  seconds: number
  /** Epoch ms of an earlier run that had moved everything, and whose end was not confirmed: nothing was done now. Null: it was done now. */
  doneEarlierAtMs: number | null
}

const TOLD_EVERY_ROWS = 50_000
/** What `randomInt` gives at most. */
const MOVE_NUMBERS = 2 ** 48 - 1

/**
 * The file stays as it is, with a note beside it that keeps every relay from starting on it. The note is written before the COMMIT: if its
 * answer is lost, no relay starts on the file until the same command has found out. If anything else interrupts the move, the database on PostgreSQL
 * is then as empty as before, and the same again moves everything.
 * @throws FileRefusal, CannotOpen
 */
export async function moveDatabase({ from, to, clock, tell }: MoveOptions): Promise<Moved> {
  const beganMs = clock.monotonicMs()
  const source = await SourceFile.open(from)
  try {
    await mustBeSound(source, tell)
    // Makes the tables.
    await (await PostgresDatabase.open({ url: to, slots: 1, readers: 1, replicaId: 'move' })).close()
    const done = await onServer(to, 'writes', (session) => moveAll(source, session, { clock, tell }))
    const rows = done.tables.reduce((sum, table) => sum + table.rows, 0)
    return { from: source.file, ...done, rows, seconds: (clock.monotonicMs() - beganMs) / 1_000 }
  } finally {
    source.close()
  }
}

/** @throws FileRefusal for a file that is damaged, or that has rows that refer to none */
async function mustBeSound({ file }: SourceFile, tell: MoveOptions['tell']): Promise<void> {
  tell(`looking through ${file}`)
  const { faults } = await inThread({ do: 'sound', file })
  if (faults.length > 0)
    throw new FileRefusal(
      `${file} is not whole, so nothing was moved. Restore a backup first (docs/relay-backup.md).\n${faults.join('\n')}`,
    )
}

async function moveAll(
  source: SourceFile,
  session: ServerSession,
  { clock, tell }: Pick<MoveOptions, 'clock' | 'tell'>,
): Promise<Pick<Moved, 'tables' | 'doneEarlierAtMs'>> {
  const note = new MoveNote(source.file)
  const target = new TargetServer(session)
  const all = await tablesInOrder(session)
  const tables = tablesThatMove(all)
  mustFit(source, all)
  try {
    const doneEarlierAtMs = await target.begin(all, clock, note.numberOfUnknown())
    if (doneEarlierAtMs !== null) {
      await target.rollback()
      note.moved(doneEarlierAtMs)
      return { tables: [], doneEarlierAtMs }
    }
    const sent = new Map<string, RowSum>()
    for (const table of tables) sent.set(table.name, await fill(source, target, { table, tell }))
    const stream = source.stream()
    await target.positionsFrom(stream)
    for (const table of tables) await target.numberFrom(table, source.newestNumber(table.name))
    tell('reading everything back')
    const moved = []
    for (const table of tables) moved.push(await compared(target, table, sent))
    const [number, nowMs] = [randomInt(MOVE_NUMBERS), clock.now()]
    await target.mark(stream, number, nowMs)
    note.moving(number, nowMs)
    await target.commit(() => note.undo())
    note.moved(nowMs)
    await target
      .analyze()
      .catch(() => tell('ANALYZE failed: run it on the database before a relay has much to do there'))
    return { tables: moved, doneEarlierAtMs: null }
  } catch (error) {
    await target.rollback()
    throw error
  }
}

async function fill(
  source: SourceFile,
  target: TargetServer,
  { table, tell }: { table: Table; tell: MoveOptions['tell'] },
): Promise<RowSum> {
  const total = source.count(table.name)
  const sum = await target.fill(
    table,
    counted(source.rows(table), (n) => tell(`${table.name}: ${n} of ${total} rows`)),
  )
  if (total > 0) tell(`${table.name}: ${total} rows`)
  return sum
}

function* counted<T>(rows: Iterable<T>, tell: (count: number) => void): Generator<T> {
  let count = 0
  for (const row of rows) {
    yield row
    count += 1
    if (count % TOLD_EVERY_ROWS === 0) tell(count)
  }
}

/** @throws FileRefusal */
async function compared(target: TargetServer, table: Table, sent: ReadonlyMap<string, RowSum>): Promise<MovedTable> {
  const wanted = sent.get(table.name)
  const found = await target.sumOf(table)
  if (found.rows !== wanted?.rows || found.hex !== wanted.hex)
    throw new FileRefusal(
      `What PostgreSQL has in ${table.name} is not what the file has (${found.rows} and ${wanted?.rows} rows, sums ${found.hex.slice(0, 16)} and ${wanted?.hex.slice(0, 16)}). Nothing was moved: look for a trigger, or a fault of the server.`,
    )
  return { table: table.name, rows: found.rows, sum: found.hex }
}

/** The same tables and columns on both sides, or the program would leave something behind. */
function mustFit(source: SourceFile, tables: readonly Table[]): void {
  const here = source.tables().filter((name) => !OF_ONE_ENGINE.has(name))
  const there = tables.map(({ name }) => name).filter((name) => !OF_ONE_ENGINE.has(name))
  if (here.join() !== there.toSorted().join()) throw new Error(`tables differ: ${here.join()} and ${there.join()}`)
  for (const { name, columns } of tables.filter(({ name }) => !OF_ONE_ENGINE.has(name))) {
    const names = columns.map((column) => column.name).join()
    if (source.columnsOf(name).join() !== names) throw new Error(`columns of ${name} differ`)
  }
}

/** Beside the file. Two relays that continue from the same state would both print its orders. */
class MoveNote {
  readonly #file: string
  /** Of an earlier move. */
  readonly #before: string | null

  constructor(file: string) {
    this.#file = movedFile(file)
    this.#before = existsSync(this.#file) ? readFileSync(this.#file, 'utf8') : null
  }

  /** Number of the move that was about to be committed when it was last seen; null: none is. */
  numberOfUnknown(): number | null {
    const number = this.#before?.startsWith(MOVING) ? /number (\d+)\.$/m.exec(this.#before)?.[1] : undefined
    return number === undefined ? null : Number(number)
  }

  moving(number: number, nowMs: number): void {
    this.#write(`${MOVING} at ${toIso(nowMs)}, number ${number}.\n`)
  }

  moved(atMs: number): void {
    this.#write(`Moved to PostgreSQL at ${toIso(atMs)}.\n`)
  }

  /** As it was before this move. */
  undo(): void {
    if (this.#before !== null) this.#write(this.#before)
    else {
      rmSync(this.#file, { force: true })
      syncPath(dirname(this.#file))
    }
  }

  #write(text: string): void {
    writeFileSync(this.#file, text, { mode: 0o600 })
    syncPath(this.#file)
    syncPath(dirname(this.#file))
  }
}
