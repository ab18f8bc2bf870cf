// Empty databases on the server of the suites. Making one costs more than most tests: each is emptied and lent again.
import { randomBytes } from 'node:crypto'
import { Client, type QueryResult } from 'pg'
import type { Migration } from '#cloud/storage/migrations/migrations.ts'
import { migrate } from '#cloud/storage/postgres/migrate.ts'
import { PostgresDatabase } from '#cloud/storage/postgres/postgres-database.ts'

/** Deleted rows of a database until it is cleaned of what they leave behind. */
const CLEANED_AFTER = 500

export interface LentDatabase {
  readonly url: string
  /** When nobody is connected to it any more. */
  giveBack(): void
  /**
   * How often units of it waited for each other since this was asked last, so that the server had to end one. When its handles are closed: a
   * connection tells what it has counted at its end at the latest.
   */
  deadlocks(): Promise<number>
}

/**
 * With all migrations, the setup of the suites makes it once.
 * @param server URL of any database there. @param newer migrations of a later release, which are applied behind. @returns its name
 */
export async function makeTemplate(server: string, newer?: readonly Migration[]): Promise<string> {
  const name = `template_${randomBytes(8).toString('hex')}`
  await onServer(server, `create database ${name} template template0 encoding 'UTF8'`)
  await (await PostgresDatabase.open({ url: withDatabase(server, name), slots: 1, readers: 1 })).close()
  if (newer !== undefined) await migrate({ connectionString: withDatabase(server, name) }, { migrations: newer })
  return name
}

/** The template, and all that was made of it. */
export async function dropDatabases(server: string, template: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database where starts_with(datname, $1)`,
      [template],
    )
    for (const { name } of rows) await client.query(`drop database ${name} with (force)`)
  } finally {
    await client.end()
  }
}

/** Of one process. */
export class PostgresDatabases {
  readonly #server: string
  readonly #template: string
  readonly #free: Promise<RecycledDatabase | null>[] = []

  constructor(server: string, template: string) {
    this.#server = server
    this.#template = template
  }

  async lend(): Promise<LentDatabase> {
    const database = (await this.#free.pop()) ?? (await RecycledDatabase.make(this.#server, this.#template))
    return {
      url: database.url,
      giveBack: () => this.#free.push(database.emptied()),
      deadlocks: () => database.deadlocks(),
    }
  }
}

class RecycledDatabase {
  readonly url: string
  readonly #client: Client
  readonly #tables: readonly string[]
  #deleted = 0
  #deadlocks = 0

  private constructor(url: string, client: Client, tables: readonly string[]) {
    this.url = url
    this.#client = client
    this.#tables = tables
  }

  static async make(server: string, template: string): Promise<RecycledDatabase> {
    const name = `${template}_${randomBytes(8).toString('hex')}`
    await onServer(server, `create database ${name} template ${template} strategy file_copy`)
    const url = withDatabase(server, name)
    const client = new Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    // References are not followed: everything goes.
    await client.query(`set session_replication_role = replica; set lock_timeout = '5s'`)
    const { rows } = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'schema_version' order by 1`,
    )
    return new RecycledDatabase(
      url,
      client,
      rows.map((row) => row.name),
    )
  }

  async deadlocks(): Promise<number> {
    for (;;) {
      const { rows } = await this.#client.query<{ count: string; others: string }>(
        `select deadlocks as count, (select count(*) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()) as others
          from pg_stat_database where datname = current_database()`,
      )
      if (Number(rows[0]?.others) > 0) continue
      const before = this.#deadlocks
      this.#deadlocks = Number(rows[0]?.count)
      return this.#deadlocks - before
    }
  }

  /** Null: it cannot be used again. */
  async emptied(): Promise<RecycledDatabase | null> {
    try {
      const results: unknown = await this.#client.query(
        [
          ...this.#tables.map((table) => `delete from ${table}`),
          `select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
             from pg_sequences where last_value is not null`,
        ].join('; '),
      )
      await this.#clean(results as QueryResult[])
      return this
    } catch {
      await this.#client.end().catch(() => {})
      return null
    }
  }

  /** TRUNCATE gives back what deleted rows leave behind, and the planner takes the tables for new: after VACUUM it would take them for empty. */
  async #clean(results: readonly QueryResult[]): Promise<void> {
    for (const { rowCount } of results.slice(0, this.#tables.length)) this.#deleted += rowCount ?? 0
    if (this.#deleted < CLEANED_AFTER) return
    await this.#client.query(`truncate ${this.#tables.join(', ')}`)
    this.#deleted = 0
  }
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function onServer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
