// The relay's database as its stores use it: transactions ("units"), reads, and queries that are compiled once. There are two engines.
import {
  type Compilable,
  CompiledQuery,
  type Dialect,
  Kysely,
  type OperationNodeSource,
  type Transaction,
} from 'kysely'
import type { Signal } from '#shared/signal.ts'
import { type DialectWords, SQLITE_WORDS } from './dialect-words.ts'
import type { RelaySchema } from './schema.ts'
import type { StorageGate } from './storage-gate.ts'

export type Tx = Transaction<RelaySchema>
export type Db = Kysely<RelaySchema>

/** Units that metrics distinguish; all others are `other`. */
export type UnitName =
  | 'inject'
  | 'claim'
  | 'acks'
  | 'hello'
  | 'result'
  | 'kitchen'
  | 'call'
  | 'webhook_claim'
  | 'listener_claim'
  | 'listener_result'
  | 'voice_turn'
  | 'webhook_settle'
  | 'beat'

/** What stood in a unit's way, so that nothing of it was kept. */
export interface Hindrance {
  /** SQLSTATE of PostgreSQL; on SQLite `neighbour`: a unit failed whose savepoint it shared. */
  code: string
  /** Of a unique index or constraint that holds the same row already; else null. */
  constraint: string | null
}

export interface UnitOptions {
  /** For figures. */
  name?: UnitName
  /**
   * On SQLite neighbours of this kind share one savepoint, which is cheaper: when one of them fails the others are undone with it and run
   * again, each alone. For units that seldom fail.
   */
  sharesSavepoint?: boolean
  /** On PostgreSQL a unit that meets a row of another one's that was not there before is run again, and then finds that row. */
  againOnConflict?: boolean
  /**
   * On PostgreSQL its COMMIT does not wait for the disk: a server that crashes then may forget it. It does not wait long for what others
   * hold, and is not run again: then it fails.
   */
  isBestEffort?: boolean
  /** On PostgreSQL it has a connection of its own, and waits for no other unit: it shows the other relays that this one runs. */
  isSignOfLife?: boolean
}

export interface RelayDatabase {
  /** What the engine calls what the other one calls differently. */
  readonly words: DialectWords
  /** Whether units are accepted, and the reason if not. */
  readonly gate: StorageGate
  /** Of this program among those that work on the database; null: it is alone there. */
  readonly replicaId: string | null
  /** Units that wait for their turn. */
  readonly waiting: number
  /** Another unit was in the way of one, which is run again if it may be. */
  readonly hindered: Signal<Hindrance>
  /** Committed data only: never sees a unit that is not yet on disk. */
  readonly read: Db
  /**
   * One unit of work (a transaction): all of it or nothing, on disk when the promise resolves.
   *
   * `work` awaits only its own queries, because others wait for it, and it changes nothing but the database, because it may be run
   * again: after a deadlock, after a lock that took too long, after the failure of a unit that shared its commit. Variables of the caller
   * that a unit sets must be set again by each run.
   * @throws StorageRefusal when nothing can be written now; nothing of the unit is kept, and it may be tried again. Unless its reason is
   * `unknown`: then the unit may have been committed, and to try it again is right only where that does no harm
   */
  unit<T>(work: (tx: Tx) => Promise<T>, options?: UnitOptions): Promise<T>
  /** Ends what is under way; further queries fail. */
  close(): Promise<void>
}

/** One connection, or several that are alike, as prepared queries use it. */
export interface DirectConnection {
  readonly words: DialectWords
  /** It writes, within a unit. */
  readonly isUnit: boolean
  /** Rows of a query that returns some; past Kysely's executor, which costs as much as SQLite itself. */
  rows<R>(sql: string, parameters: readonly unknown[]): R[] | Promise<R[]>
}

/** Kysely with access to its connection, so that prepared queries need not look it up each time. */
export class DirectKysely<C extends DirectConnection = DirectConnection> extends Kysely<RelaySchema> {
  readonly direct: C

  constructor(direct: C, dialect: Dialect) {
    super({ dialect })
    this.direct = direct
  }
}

/** The words of the engine on which this is run. */
export function wordsOf(on: Db | Tx): DialectWords {
  return on instanceof DirectKysely ? (on as DirectKysely).direct.words : SQLITE_WORDS
}

/** Whether this is a unit's own connection, and no read of what is committed. */
export function isUnit(on: Db | Tx): boolean {
  return on instanceof DirectKysely && (on as DirectKysely).direct.isUnit
}

class Param {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A query that is compiled once for each engine; the hot path only binds values. `build` gets a function that makes a named parameter, and
 * the words of the engine.
 * @example const byHash = prepared((p) => queryBuilder.selectFrom('api_keys').selectAll().where('hash', '=', p('hash')))
 *          const rows = await byHash(db.read, { hash })
 */
export function prepared<R>(
  // biome-ignore lint/suspicious/noExplicitAny: a parameter stands for a value of any column type
  build: (param: (name: string) => any, words: DialectWords) => Compilable<R> & OperationNodeSource,
): (on: Db | Tx, values: Readonly<Record<string, unknown>>) => Promise<R[]> {
  const compiled = new Map<DialectWords, Pick<CompiledQuery, 'sql' | 'parameters'>>()
  const compiledFor = (words: DialectWords) => {
    const made = words.compile(build((name) => new Param(name), words).toOperationNode())
    compiled.set(words, made)
    return made
  }
  return async (on, values) => {
    const words = wordsOf(on)
    const { sql, parameters: slots } = compiled.get(words) ?? compiledFor(words)
    const parameters = slots.map((slot) => {
      if (!(slot instanceof Param)) return slot
      const value = values[slot.name]
      if (value === undefined) throw new Error(`no value for parameter ${slot.name}`)
      return value
    })
    if (on instanceof DirectKysely) {
      const rows = (on as DirectKysely).direct.rows<R>(sql, parameters)
      // SQLite's are available at once. Awaited, so that the stack of an error contains the caller.
      return rows instanceof Promise ? await rows : rows
    }
    return (await on.executeQuery<R>(CompiledQuery.raw(sql, parameters))).rows
  }
}
