// A disk without room: every COMMIT of one database fails as SQLite reports it then (measured on a full tmpfs: SQLITE_FULL, rolled back).
import Database from 'better-sqlite3'

type Run = (this: Database.Statement, ...parameters: unknown[]) => Database.RunResult

/** Fills the disk under this database. @returns makes room again */
export function fillDisk(sqlite: Database.Database): () => void {
  const statements = Object.getPrototypeOf(sqlite.prepare('select 1')) as { run: Run }
  const run = statements.run
  statements.run = function (...parameters) {
    if (this.database !== sqlite || this.source !== 'commit') return run.apply(this, parameters)
    sqlite.exec('rollback')
    throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL')
  }
  return () => {
    statements.run = run
  }
}
