// Which tables move from SQLite to PostgreSQL, in which order, and what happens to the others.
import type { ServerSession } from '#cloud/storage/postgres/server-session.ts'

/** Of the relays that work on a database now: they write it again. A migration fills `shards`, whose rows must not be deleted. */
export const OF_RUNNING_RELAYS: ReadonlySet<string> = new Set(['replicas', 'leases', 'rate_buckets', 'shards'])
/** Of SQLite alone, or of PostgreSQL alone: `event_positions` is made from `event_stream`, and `schema_version` from the migrations. */
export const OF_ONE_ENGINE: ReadonlySet<string> = new Set(['event_stream', 'event_positions', 'schema_version'])
/** A relay that was started on an empty database and stopped again leaves this behind. It is deleted for what moves. */
export const OF_AN_EMPTY_RELAY: readonly string[] = [
  'marks',
  'restores',
  'replicas',
  'leases',
  'rate_buckets',
  'master_key',
]

export interface Column {
  name: string
  /** `text`, `bigint`, `bytea`. */
  type: string
}

export interface Table {
  name: string
  /** By name. */
  columns: readonly Column[]
  /** The column that numbers rows by itself; null: none does. */
  identity: string | null
}

interface Reference {
  table: string
  refers_to: string
}

/** Every table of the present schema on the server, those first that others refer to. */
export async function tablesInOrder(session: ServerSession): Promise<Table[]> {
  const { rows: columns } = await session.query<Column & { table: string; identity: string }>(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attidentity as identity
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`,
  )
  const { rows: references } = await session.query<Reference>(
    `select c.relname as table, f.relname as refers_to from pg_constraint k
      join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
      where k.contype = 'f' and c.relnamespace = current_schema()::regnamespace`,
  )
  const byTable = Map.groupBy(columns, ({ table }) => table)
  return inOrder([...byTable.keys()].sort(), references).map((name) => {
    const of = (byTable.get(name) ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1))
    return {
      name,
      columns: of.map(({ name: column, type }) => ({ name: column, type })),
      identity: of.find(({ identity }) => identity !== '')?.name ?? null,
    }
  })
}

/** @throws Error when tables refer to each other in a circle: the schema has none */
function inOrder(names: readonly string[], references: readonly Reference[]): string[] {
  const done: string[] = []
  while (done.length < names.length) {
    const next = names.find(
      (name) =>
        !done.includes(name) &&
        references.every((r) => r.table !== name || r.refers_to === name || done.includes(r.refers_to)),
    )
    if (next === undefined) throw new Error('tables refer to each other in a circle')
    done.push(next)
  }
  return done
}

/** What is copied row by row. */
export function tablesThatMove(tables: readonly Table[]): Table[] {
  return tables.filter(({ name }) => !OF_RUNNING_RELAYS.has(name) && !OF_ONE_ENGINE.has(name))
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
