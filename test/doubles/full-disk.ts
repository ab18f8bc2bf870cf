// A disk without room: every COMMIT of one database fails as SQLite reports it then (measured on a full tmpfs: SQLITE_FULL, rolled back).
import Database from 'better-sqlite3'

type Run = (this: Database.Statement, ...parameters: unknown[]) => Database.RunResult

/** Fills the disk under this database, or that of this file. @returns makes room again */
export function fillDisk(full: Database.Database | string): () => void {
  const some = typeof full === 'string' ? new Database(':memory:') : full
  const statements = Object.getPrototypeOf(some.prepare('select 1')) as { run: Run }
  const run = statements.run
  statements.run = function (...parameters) {
    const isFull = this.database === full || this.database.name === full
    if (!isFull || this.source.toLowerCase() !== 'commit') return run.apply(this, parameters)
    this.database.exec('rollback')
    throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL')
  }
  return () => {
    statements.run = run
  }
}
