// Facts from a relay's database file: how new it is, which program can open it, and a few of its secrets, still sealed.
import type Database from 'better-sqlite3'

export interface NewestRow {
  id: string
  atMs: number
}

export interface FileFacts {
  /** Number of its last migration. */
  schema: number
  newestOrder: NewestRow | null
  newestEvent: NewestRow | null
  /** When this file was copied from a relay's; null: it is no copy. */
  copiedAtMs: number | null
  /** Secrets as they are stored, sealed: the holder of the master key can check whether it fits. */
  sealed: string[]
}

const MOST_SECRETS = 20

export function factsOf(db: Database.Database): FileFacts {
  return {
    schema: Number(db.pragma('user_version', { simple: true })),
    newestOrder: newest(db, 'select id, queued_at as atMs from orders order by id desc limit 1'),
    // By the key of the row, which is its position, and is there in files of older programs too: ids begin with the time of their order.
    newestEvent: newest(db, 'select id, created_at as atMs from events order by rowid desc limit 1'),
    copiedAtMs: copiedAt(db),
    sealed: db
      .prepare('select secret_enc from webhook_endpoints order by created_at desc limit ?')
      .pluck()
      .all(MOST_SECRETS) as string[],
  }
}

/** Rows of `db` that are not in the other file. */
export function missingIn(db: Database.Database, file: string): { orders: number; events: number } {
  db.prepare('attach ? as other').run(file)
  const missing = (table: 'orders' | 'events') =>
    Number(
      db
        .prepare(
          `select count(*) from main.${table} m where not exists (select 1 from other.${table} o where o.id = m.id)`,
        )
        .pluck()
        .get(),
    )
  return { orders: missing('orders'), events: missing('events') }
}

/** When it was copied. A file of before there was a mark has none. */
export function copiedAt(db: Database.Database): number | null {
  if (!hasMarks(db)) return null
  const at = db.prepare(`select at from marks where name = 'copied'`).pluck().get()
  return at === undefined ? null : Number(at)
}

/** Marks a copy as one, with its time: a relay that is started on it detects by this that it lacks something. */
export function markAsCopy(db: Database.Database, atMs: number): void {
  if (hasMarks(db))
    db.prepare(
      `insert into marks (name, at) values ('copied', ?) on conflict (name) do update set at = min(at, excluded.at)`,
    ).run(atMs)
}

export function hasMarks(db: Database.Database): boolean {
  return db.prepare(`select 1 from sqlite_schema where type = 'table' and name = 'marks'`).get() !== undefined
}

/** When any gateway was last connected; 0: never. */
export function lastSeenAt(db: Database.Database): number {
  return Number(db.prepare('select coalesce(max(last_seen_at), 0) from gateways').pluck().get())
}

function newest(db: Database.Database, sql: string): NewestRow | null {
  return (db.prepare(sql).get() as NewestRow | undefined) ?? null
}
