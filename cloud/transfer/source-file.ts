// The SQLite file that a relay leaves: locked for the move, checked, and read row by row. Nothing is written into it.
import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { FileRefusal } from '#cloud/backup/file-refusal.ts'
import { holdForRestore } from '#cloud/backup/restore-file.ts'
import { newerFile } from '#cloud/storage/cannot-open.ts'
import { MIGRATIONS } from '#cloud/storage/migrations/migrations.ts'
import { realDatabasePath } from '#cloud/storage/sqlite/database-path.ts'
import { restoringFile, SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { moved } from './row-sum.ts'
import { quoted, type Table } from './tables.ts'

/** No relay starts on it until it is closed. */
export class SourceFile {
  readonly file: string
  readonly #db: Database.Database
  readonly #letGo: () => void

  private constructor(file: string, db: Database.Database, letGo: () => void) {
    this.file = file
    this.#db = db
    this.#letGo = letGo
  }

  /**
   * A file of an older release is brought to the present schema first, as by any other command.
   * @throws FileRefusal, CannotOpen
   */
  static async open(path: string): Promise<SourceFile> {
    if (!existsSync(path)) throw new FileRefusal(`There is no file ${path}: say --from, or set CLOUD_DATABASE.`)
    const file = realDatabasePath(path)
    const letGo = await holdForRestore(file)
    try {
      if (existsSync(restoringFile(file)))
        throw new FileRefusal(`A restore of ${file} was interrupted: run \`admin restore\` again first.`)
      if (versionOf(file) !== MIGRATIONS.length) await (await SqliteDatabase.open(file, rethrow)).close()
      const db = new Database(file, { readonly: true })
      db.pragma('trusted_schema = OFF')
      return new SourceFile(file, db, letGo)
    } catch (error) {
      letGo()
      throw error instanceof Database.SqliteError ? new FileRefusal(`${file} cannot be read: ${error.message}.`) : error
    }
  }

  close(): void {
    this.#db.close()
    this.#letGo()
  }

  /** Columns by name, those too that SQLite makes by itself. */
  columnsOf(table: string): string[] {
    const rows = this.#db.prepare(`select name from pragma_table_xinfo(?) order by name`).pluck().all(table)
    return rows as string[]
  }

  tables(): string[] {
    const names = `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name`
    return this.#db.prepare(names).pluck().all() as string[]
  }

  count(table: string): number {
    return Number(
      this.#db
        .prepare(`select count(*) from ${quoted(table)}`)
        .pluck()
        .get(),
    )
  }

  /** One at a time, with the values for PostgreSQL. */
  *rows({ name, columns }: Table): Generator<unknown[]> {
    const list = columns.map((column) => quoted(column.name)).join()
    const rows = this.#db
      .prepare(`select ${list} from ${quoted(name)}`)
      .raw()
      .iterate()
    for (const row of rows) yield (row as unknown[]).map(moved)
  }

  /** The largest number that SQLite ever gave a row of the table by itself. */
  newestNumber(table: string): number {
    return Number(this.#db.prepare('select max(seq) from sqlite_sequence where name = ?').pluck().get(table) ?? 0)
  }

  /** The stream of events, which is one for all merchants here. */
  stream(): { head: number; forgotten: number } {
    const forgotten = Number(this.#db.prepare('select forgotten from event_stream').pluck().get())
    const newest = Number(this.#db.prepare('select coalesce(max(position), 0) from events').pluck().get())
    return { head: Math.max(newest, forgotten, this.newestNumber('events')), forgotten }
  }
}

function versionOf(file: string): number {
  const db = new Database(file, { readonly: true })
  try {
    const version = Number(db.pragma('user_version', { simple: true }))
    if (version > MIGRATIONS.length) throw newerFile(file, version, MIGRATIONS.length)
    return version
  } finally {
    db.close()
  }
}

function rethrow(error: unknown): never {
  throw error
}
