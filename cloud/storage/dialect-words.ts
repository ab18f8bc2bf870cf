// The words that SQLite and PostgreSQL do not share, in one place: no other file of the stores may use one engine's alone.
import {
  type CompiledQuery,
  createQueryId,
  type OperationNode,
  PostgresQueryCompiler,
  type RawBuilder,
  type RootOperationNode,
  type SelectModifierNode,
  SqliteQueryCompiler,
  sql,
} from 'kysely'

export interface DialectWords {
  readonly engine: 'sqlite' | 'postgres'
  /** Several units are at work at once: see hold.ts. Else each is alone until the next begins, and those that follow see what it wrote. */
  readonly locksRows: boolean
  compile(node: OperationNode): CompiledQuery
  /** Behind a table: by this index and no other. PostgreSQL has no such word and chooses itself. */
  indexedBy(index: string): RawBuilder<unknown>
  /** A column as a value, so that SQLite does not choose an index by it. */
  unindexed<T>(column: string): RawBuilder<T>
  larger(a: RawBuilder<unknown>, b: RawBuilder<unknown>): RawBuilder<number>
  smaller(a: RawBuilder<unknown>, b: RawBuilder<unknown>): RawBuilder<number>
  /** Whether the text of a column has this in it. `text` is a literal, so that a partial index with the same words fits. */
  contains(column: string, text: string): RawBuilder<boolean>
  /** A table `as` with these columns, of a JSON array of objects: many rows by one parameter. */
  rowsOf(json: string, as: string, columns: Readonly<Record<string, 'text' | 'integer'>>): RawBuilder<unknown>
  /** The position of the next event at this merchant: above all that were given there, and not below `earliest`. */
  nextEventPosition(merchant: unknown, earliest: unknown): RawBuilder<number>
  /** Whether `event_positions` keeps, for each merchant, the newest position and the last that was forgotten; else one stream is of all. */
  readonly positionsByMerchant: boolean
  /** Whether `orders.source` is written with the order: SQLite reads it out of the order's body. */
  readonly storesOrderSource: boolean
  /** Epoch ms on the database's own clock. */
  readonly nowMs: RawBuilder<number>
  /** A statement that makes or changes a table or an index; `ddl` is in SQLite's words. */
  ddl(statement: string): string
}

/** Row locks exist only on PostgreSQL: SQLite has one writer at a time. */
class LocklessCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.rawModifier !== undefined || node.modifier === 'Distinct') super.visitSelectModifier(node)
  }
}

export const sqliteCompiler = () => new LocklessCompiler()

const compileBy =
  (make: () => SqliteQueryCompiler | PostgresQueryCompiler) =>
  (node: OperationNode): CompiledQuery =>
    make().compileQuery(node as RootOperationNode, createQueryId())

export const SQLITE_WORDS: DialectWords = {
  engine: 'sqlite',
  locksRows: false,
  compile: compileBy(sqliteCompiler),
  indexedBy: (index) => sql`indexed by ${sql.ref(index)}`,
  unindexed: (column) => sql`+${sql.ref(column)}`,
  larger: (a, b) => sql`max(${a}, ${b})`,
  smaller: (a, b) => sql`min(${a}, ${b})`,
  contains: (column, text) => sql`instr(${sql.ref(column)}, ${sql.lit(text)}) > 0`,
  rowsOf: (json, as, columns) => {
    const values = Object.keys(columns).map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`)
    return sql`(select ${sql.join(values)} from json_each(${json})) as ${sql.ref(as)}`
  },
  // SQLite keeps the largest position ever given, also when every event is deleted. The writer is alone until its COMMIT, so positions rise
  // as commits do. A relay that was restored from a copy of its database continues above all positions that it had given, because they
  // contain the time.
  nextEventPosition: (_merchant, earliest) =>
    sql`max(coalesce((select seq from sqlite_sequence where name = 'events'), 0) + 1, ${earliest})`,
  positionsByMerchant: false,
  storesOrderSource: false,
  nowMs: sql`cast(unixepoch('subsec') * 1000 as integer)`,
  ddl: (statement) => statement,
}

export const POSTGRES_WORDS: DialectWords = {
  engine: 'postgres',
  locksRows: true,
  compile: compileBy(() => new PostgresQueryCompiler()),
  indexedBy: () => sql``,
  unindexed: (column) => sql`${sql.ref(column)}`,
  larger: (a, b) => sql`greatest(${a}, ${b})`,
  smaller: (a, b) => sql`least(${a}, ${b})`,
  contains: (column, text) => sql`strpos(${sql.ref(column)}, ${sql.lit(text)}) > 0`,
  rowsOf: (json, as, columns) => {
    const types = Object.entries(columns).map(
      ([name, type]) => sql`${sql.ref(name)} ${sql.raw(type === 'text' ? 'text collate "C"' : 'bigint')}`,
    )
    return sql`json_to_recordset(${json}::json) as ${sql.ref(as)}(${sql.join(types)})`
  },
  // Migration 9 explains what it locks.
  nextEventPosition: (merchant, earliest) => sql`next_event_position(${merchant}, ${earliest})`,
  positionsByMerchant: true,
  storesOrderSource: true,
  nowMs: sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  ddl: postgresDdl,
}

/** Ids and cursors are compared byte by byte, as SQLite does it and whatever the language of the server is. */
const TYPES: readonly (readonly [RegExp, string])[] = [
  [/\binteger primary key autoincrement\b/g, 'bigint generated by default as identity primary key'],
  [/\binteger\b/g, 'bigint'],
  // Not for a column with this name: its type follows it.
  [/\btext\b(?! text\b)/g, 'text collate "C"'],
  [/\bblob\b/g, 'bytea'],
  [/ without rowid$/, ''],
  [/\binstr\(/g, 'strpos('],
]

function postgresDdl(statement: string): string {
  return TYPES.reduce((text, [word, ours]) => text.replaceAll(new RegExp(word.source, 'g'), ours), statement)
}
