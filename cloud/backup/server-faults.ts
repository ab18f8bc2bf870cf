// What is wrong with a database of the relay on PostgreSQL: references that a damaged index or a half restore has broken, numbers that would be given twice, and rows that contradict each other.
import { MIGRATIONS } from '#cloud/storage/migrations/migrations.ts'
import type { ServerSession } from '#cloud/storage/postgres/server-session.ts'
import { FileRefusal } from './file-refusal.ts'
import { COMPARED_MS, MOST_LINES, rowChecks, shortened } from './row-checks.ts'

/** PostgreSQL's words for what the checks need, and what is kept otherwise there. */
const CHECKS: readonly string[] = [
  ...rowChecks({ numberIn: (json, key) => `(${json}::json ->> '${key}')::bigint`, since: '$1::bigint' }),
  `select 'merchant ' || e.merchant_id || ': has an event at ' || max(e.position) || ', and positions go on from ' || coalesce(max(p.newest), 0) as line
    from events e left join event_positions p on p.merchant_id = e.merchant_id
    group by e.merchant_id having max(e.position) > coalesce(max(p.newest), 0)`,
  `select 'merchant ' || merchant_id || ': its events are forgotten up to ' || forgotten || ', and positions go on from ' || newest as line
    from event_positions where forgotten > newest`,
]

interface Reference {
  name: string
  child: string
  parent: string
  child_columns: string[]
  parent_columns: string[]
}

interface Numbered {
  table: string
  column: string
  sequence: string
}

/**
 * All of one moment; relays go on meanwhile. A large database takes minutes, and nothing that is deleted meanwhile is cleaned up.
 * @throws FileRefusal for a database that is none of the relay's, or of another release
 */
export async function serverFaults(session: ServerSession, nowMs: number): Promise<string[]> {
  await session.query('begin isolation level repeatable read read only')
  await session.query('set local statement_timeout = 0')
  try {
    await mustBeOfThisRelease(session)
    return [
      ...(await brokenReferences(session)),
      ...(await numbersGivenTwice(session)),
      ...(await contradictions(session, nowMs - COMPARED_MS)),
    ]
  } finally {
    await session.query('rollback')
  }
}

async function mustBeOfThisRelease(session: ServerSession): Promise<void> {
  const { rows: found } = await session.query<{ table: string | null }>(
    `select to_regclass('schema_version')::text as table`,
  )
  if (found[0]?.table == null) throw new FileRefusal('The database of DATABASE_URL has no tables of the relay.')
  const { rows } = await session.query<{ version: number }>('select version from schema_version')
  const version = rows[0]?.version ?? 0
  if (version !== MIGRATIONS.length)
    throw new FileRefusal(
      `The database of DATABASE_URL is of schema ${version}, this program knows ${MIGRATIONS.length}: ${version > MIGRATIONS.length ? 'install the newer release' : 'start a relay of this release on it first'}.`,
    )
}

/** The server holds references itself, unless an index is damaged or a restore has left them out. */
async function brokenReferences(session: ServerSession): Promise<string[]> {
  const { rows } = await session.query<Reference>(
    `select k.conname as name, k.conrelid::regclass::text as child, k.confrelid::regclass::text as parent,
        (select array_agg(a.attname::text order by o.n) from unnest(k.conkey) with ordinality o(num, n)
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = o.num) as child_columns,
        (select array_agg(a.attname::text order by o.n) from unnest(k.confkey) with ordinality o(num, n)
          join pg_attribute a on a.attrelid = k.confrelid and a.attnum = o.num) as parent_columns
      from pg_constraint k where k.contype = 'f' and k.connamespace = current_schema()::regnamespace order by 1`,
  )
  const lines: string[] = []
  for (const { child, parent, child_columns, parent_columns } of rows) {
    const same = child_columns.map((column, i) => `p."${parent_columns[i]}" = c."${column}"`).join(' and ')
    const isSet = child_columns.map((column) => `c."${column}" is not null`).join(' and ')
    const { rows: lost } = await session.query<{ count: number }>(
      `select count(*) as count from ${child} c where ${isSet} and not exists (select 1 from ${parent} p where ${same})`,
    )
    const count = lost[0]?.count ?? 0
    if (count > 0)
      lines.push(`${child}: ${count} rows name by ${child_columns.join(', ')} a row of ${parent} that is not there`)
  }
  return lines
}

/** A counter below its rows would give a number a second time. */
async function numbersGivenTwice(session: ServerSession): Promise<string[]> {
  const { rows } = await session.query<Numbered>(
    `select c.relname as table, a.attname as column, pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attidentity <> '' order by 1`,
  )
  const lines: string[] = []
  for (const { table, column, sequence } of rows) {
    const { rows: found } = await session.query<{ newest: number; given: number }>(
      `select (select coalesce(max("${column}"), 0) from "${table}") as newest,
        (select case when is_called then last_value else last_value - 1 end from ${sequence}) as given`,
    )
    const { newest = 0, given = 0 } = found[0] ?? {}
    if (newest > given) lines.push(`${table}: has number ${newest}, and the next one given is ${given + 1}`)
  }
  return lines
}

async function contradictions(session: ServerSession, sinceMs: number): Promise<string[]> {
  const lines: string[] = []
  for (const check of CHECKS) {
    const takes = check.includes('$1') ? [sinceMs] : []
    const counted = `select line, count(*) over () as count from (${check}) as faults limit ${MOST_LINES}`
    const { rows } = await session.query<{ line: string; count: number }>(counted, takes)
    lines.push(
      ...shortened(
        rows.map(({ line }) => line),
        rows[0]?.count ?? 0,
      ),
    )
  }
  return lines
}
