// The relay's database on a PostgreSQL server, which several relays may share. Each unit is a transaction on a connection of its own.
import { randomBytes } from 'node:crypto'
import type { ClientConfig, Pool, PoolClient } from 'pg'
import {
  type Db,
  DirectKysely,
  type Hindrance,
  type RelayDatabase,
  type Tx,
  type UnitOptions,
} from '#cloud/storage/database.ts'
import { POSTGRES_WORDS } from '#cloud/storage/dialect-words.ts'
import { StorageGate } from '#cloud/storage/storage-gate.ts'
import { isOfServer, SERVER_TROUBLES, type ServerTrouble, StorageRefusal } from '#cloud/storage/storage-refusal.ts'
import { type Clock, systemClock } from '#shared/clock.ts'
import { Signal } from '#shared/signal.ts'
import { CommitProbe } from './commit-probe.ts'
import { connectionOf, endOf, Lane, whyNotServing } from './lane.ts'
import { migrate } from './migrate.ts'
import { cannotOpen } from './postgres-cannot-open.ts'
import {
  committed,
  NUMBERS,
  PostgresConnection,
  PostgresReaders,
  postgresDialect,
  rolledBack,
  type SessionLimits,
  withDriverErrors,
} from './postgres-connection.ts'
import { endsConnection, hindranceOf, isOfAll, isOldPlan, postgresFault } from './postgres-fault.ts'

/** A unit that was in another's way is run so often in all. */
const TRIES = 6
/** One whose connection was lost: fewer, since it may be the unit that the server cannot bear. */
const TRIES_OF_LOST = 3
const PAUSE_MS = 5
const CONNECT_WITHIN_MS = 3_000
/** The server ends what takes longer: an open transaction holds up the others and the cleaning of tables. */
const STATEMENT_MS = 5_000
const LOCK_MS = 2_000
const HURRIED_LOCK_MS = 200
/** Of a relay that was frozen, or cut off, in the middle of a unit: others wait so long for the rows that it holds. */
const IDLE_IN_UNIT_MS = 3_000
/** The server has ended a statement long before, unless it is not there any more. */
const ANSWER_MS = 8_000

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database?sslmode=verify-full` */
  url: string
  /** Connections for units. Default 10. */
  slots?: number
  /** Connections for reads outside of units. Default 6. */
  readers?: number
  /** Whose connections they are: another one with each start. Default: a new one. */
  replicaId?: string
  /** All times after which something is given up are so many times as long. Default 1. */
  patience?: number
  clock?: Clock
  /** Another relay brings the database to its schema: opening waits for that. */
  onWaiting?: () => void
}

export class PostgresDatabase implements RelayDatabase {
  readonly words = POSTGRES_WORDS
  readonly gate: StorageGate
  readonly replicaId: string
  readonly read: Db
  readonly hindered = new Signal<Hindrance>()
  /** Fired when no unit and no read is under way any more. */
  readonly rested = new Signal()
  readonly #config: ClientConfig
  readonly #hurriedBegin: string
  readonly #units: Lane
  readonly #reads: Lane
  /** Of signs of life: they wait for none of the others. */
  readonly #steady: Lane
  readonly #commits: CommitProbe
  #probing: Promise<void> | null = null
  #isClosed = false
  readonly #slots = new WeakMap<PoolClient, Tx>()
  #underWay = 0

  private constructor({
    url,
    slots = 10,
    readers = 6,
    replicaId = newReplicaId(),
    patience = 1,
    clock = systemClock,
  }: PostgresOptions) {
    this.gate = new StorageGate(clock)
    this.replicaId = replicaId
    this.#hurriedBegin = `begin; set local synchronous_commit = off; set local lock_timeout = ${HURRIED_LOCK_MS * patience}`
    this.#config = connectionConfig({ url, replicaId, patience })
    const lane = (count: number) =>
      new Lane(
        { ...this.#config, query_timeout: ANSWER_MS * patience },
        { count, limits: limits(patience) },
        (error, pool) => void this.#blame(error, pool),
      )
    this.#units = lane(slots)
    this.#reads = lane(readers)
    this.#steady = lane(1)
    this.#commits = new CommitProbe({ config: this.#config, gate: this.gate, withinMs: CONNECT_WITHIN_MS * patience })
    const connection = new PostgresReaders(
      () => this.#reads.pool,
      (query) => this.#reading(query),
    )
    this.read = new DirectKysely(connection, postgresDialect(connection))
    this.gate.changed.subscribe(({ trouble, began }) => {
      if (!began || !isOfServer(trouble)) return
      if (trouble !== 'stuck') this.#renew()
      for (const { turns } of trouble === 'away' ? this.#lanes : [this.#units, this.#steady])
        turns.refuseAll(() => new StorageRefusal(trouble))
    })
  }

  /** Connects and migrates. @throws CannotOpen */
  static async open(options: PostgresOptions): Promise<PostgresDatabase> {
    const db = new PostgresDatabase(options)
    try {
      await migrate(db.#config, options.onWaiting === undefined ? {} : { onWaiting: options.onWaiting })
      return db
    } catch (error) {
      await db.close()
      throw cannotOpen(options.url, error)
    }
  }

  /** Units and reads that are not at their end yet. */
  get underWay(): number {
    return this.#underWay
  }

  /** Units that wait for a connection. */
  get waiting(): number {
    return this.#units.turns.waiting
  }

  async unit<T>(work: (tx: Tx) => Promise<T>, options: UnitOptions = {}): Promise<T> {
    const { isBestEffort = false, isSignOfLife = false } = options
    const how = { lane: isSignOfLife ? this.#steady : this.#units, begin: isBestEffort ? this.#hurriedBegin : 'begin' }
    this.#underWay += 1
    try {
      for (let tries = 1; ; tries++) {
        try {
          return await this.#once(work, how)
        } catch (error) {
          const fault = postgresFault(error)
          if (fault === 'again' || fault === 'conflict') this.hindered.notify(hindranceOf(error))
          if (!this.#mayRunAgain(error, tries, options)) throw this.#refusalOf(error)
        }
        await pauseAfter(tries)
      }
    } finally {
      this.#ended()
    }
  }

  /** Nothing of it was kept. */
  #mayRunAgain(error: unknown, tries: number, { againOnConflict = false, isBestEffort = false }: UnitOptions): boolean {
    if (tries >= TRIES) return false
    if (isOldPlan(error)) return true
    if (isBestEffort) return false
    if (endsConnection(error)) return tries < TRIES_OF_LOST && this.gate.refusal() === null
    const fault = postgresFault(error)
    return fault === 'again' || (againOnConflict && fault === 'conflict')
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#commits.close()
    await Promise.all(this.#lanes.map((lane) => lane.close()))
  }

  get #lanes(): Lane[] {
    return [this.#units, this.#reads, this.#steady]
  }

  #ended(): void {
    this.#underWay -= 1
    if (this.#underWay === 0) this.rested.notify()
  }

  async #once<T>(work: (tx: Tx) => Promise<T>, { lane, begin }: { lane: Lane; begin: string }): Promise<T> {
    const refuse = () => this.#refuseUnits()
    try {
      return await this.#inTurn(lane, refuse, async (pool) => this.#unitOn(await connectionOf(pool), begin, work))
    } catch (error) {
      // The server is there, and others may wait for a COMMIT in vain as this one did.
      if (isUnknown(error) && !this.#isClosed && this.gate.refusal() === null) await this.#commits.ask()
      throw error
    }
  }

  /** @param refuse throws when nothing of this lane is done now */
  async #inTurn<T>(lane: Lane, refuse: () => void, work: (pool: Pool) => Promise<T>): Promise<T> {
    refuse()
    await lane.turns.take()
    const { pool } = lane
    try {
      try {
        // The server may have gone while this waited: nobody else need wait for it.
        refuse()
        return await work(pool)
      } finally {
        lane.turns.give()
      }
    } catch (error) {
      await this.#blame(isUnknown(error) ? error.cause : error, pool)
      throw error
    }
  }

  async #unitOn<T>(client: PoolClient, begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    let lost: unknown = null
    try {
      await withDriverErrors(() => client.query(begin))
      let result: T
      try {
        result = await work(this.#slotOf(client))
      } catch (error) {
        lost = endsConnection(error) ? error : await rolledBack(client)
        throw error
      }
      // It ended before the COMMIT was sent: nothing was kept, and that is known.
      lost = endOf(client)
      if (lost !== null) throw lost
      lost = await committed(client)
      if (lost !== null) throw new StorageRefusal('unknown', lost)
      this.gate.committed()
      return result
    } catch (error) {
      if (endsConnection(error)) lost = error
      throw error
    } finally {
      client.release(lost !== null)
    }
  }

  #refuseUnits(): void {
    const refusal = this.gate.refusal()
    if (refusal !== null) throw refusal
  }

  #slotOf(client: PoolClient): Tx {
    let slot = this.#slots.get(client)
    if (slot === undefined) {
      const connection = new PostgresConnection(client)
      slot = new DirectKysely(connection, postgresDialect(connection)) as unknown as Tx
      this.#slots.set(client, slot)
    }
    return slot
  }

  async #reading<T>(query: () => Promise<T>): Promise<T> {
    this.#underWay += 1
    try {
      for (let tries = 1; ; tries++) {
        try {
          return await this.#inTurn(this.#reads, () => this.#refuseReads(), query)
        } catch (error) {
          const mayPass = isOldPlan(error) || endsConnection(error) || postgresFault(error) === 'again'
          if (!mayPass || tries >= TRIES_OF_LOST) throw this.#refusalOf(error)
        }
        await pauseAfter(tries)
      }
    } finally {
      this.#ended()
    }
  }

  /** A server that takes no writes may answer reads. */
  #refuseReads(): void {
    if (this.gate.has('away')) throw new StorageRefusal('away')
  }

  /** The error for the caller, in place of an error of the server or the network; any other is unchanged. */
  #refusalOf(error: unknown): unknown {
    const fault = postgresFault(error)
    switch (fault) {
      case 'lost':
      case 'readOnly':
        // The server serves all others: then it was this connection alone.
        return new StorageRefusal(this.#troubleOfServer() ?? 'undone', error)
      case 'full':
        this.gate.full(error)
        return new StorageRefusal('full', error)
      case 'failing':
        this.gate.failed.notify(error)
        return new StorageRefusal('failing', error)
      case 'slow':
        return new StorageRefusal('slow', error)
      case 'again':
        return new StorageRefusal('undone', error)
      default:
        return error
    }
  }

  #troubleOfServer(): ServerTrouble | null {
    return SERVER_TROUBLES.find((trouble) => this.gate.has(trouble)) ?? null
  }

  /**
   * Asks the server, on a connection of its own, whether it is there and takes writes. The gate is closed or opened by that, and by nothing
   * that happens to the connections of units and reads. Never rejects.
   */
  probe(): Promise<void> {
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = null
    })
    return this.#probing
  }

  async #probe(): Promise<void> {
    const error = await whyNotServing({ ...this.#config, query_timeout: this.#config.connectionTimeoutMillis ?? 0 })
    if (this.#isClosed) return
    switch (error === null ? null : postgresFault(error)) {
      case null:
        if (error !== null) return this.gate.failed.notify(error)
        this.gate.serverAnswers()
        this.gate.roomAgain()
        if (this.gate.has('stuck')) await this.#commits.ask()
        return
      case 'lost':
        return this.gate.serverFails('away', error)
      case 'readOnly':
        return this.gate.serverFails('readOnly', error)
      case 'full':
        return this.gate.full(error)
      case 'failing':
        return this.gate.failed.notify(error)
      default:
        // The server is there, and lacks a free connection or time: open connections may continue.
        return
    }
  }

  /** An error on a connection may be the server's. One of a pool that was replaced is no evidence about the present server. */
  async #blame(error: unknown, pool: Pool): Promise<void> {
    const isCurrent = () => !this.#isClosed && this.#lanes.some((lane) => lane.pool === pool)
    if (!isCurrent()) return
    // So are the plans of all other connections.
    if (isOldPlan(error)) this.#renew()
    if (!endsConnection(error)) return
    await this.probe()
    if (isOfAll(error) && isCurrent()) this.#renew()
  }

  /** It is unknown whether the old connections still work, and each would take long to fail; or their plans are outdated. */
  #renew(): void {
    for (const lane of this.#lanes) lane.renew()
  }
}

/** By chance, so that two that were in each other's way are not again. */
const pauseAfter = (tries: number): Promise<void> => systemClock.sleep(PAUSE_MS * tries * (0.5 + Math.random()))

/** `r_1f3a9c04d2b7` */
const newReplicaId = (): string => `r_${randomBytes(6).toString('hex')}`

/** Nobody knows whether the COMMIT was kept; its cause is what ended the connection. */
function isUnknown(error: unknown): error is StorageRefusal {
  return error instanceof StorageRefusal && error.reason === 'unknown'
}

function connectionConfig(of: { url: string; replicaId: string; patience: number }): ClientConfig {
  return {
    connectionString: of.url,
    application_name: `ticketrail/${of.replicaId}`,
    types: NUMBERS,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_WITHIN_MS * of.patience,
  }
}

const limits = (patience: number): SessionLimits => ({
  statement_timeout: STATEMENT_MS * patience,
  lock_timeout: LOCK_MS * patience,
  idle_in_transaction_session_timeout: IDLE_IN_UNIT_MS * patience,
})
