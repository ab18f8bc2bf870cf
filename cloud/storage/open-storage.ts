// Opens what the relay keeps everything in: one SQLite file, or a database on a PostgreSQL server. What belongs to it is started and stopped with it.
import type { Clock } from '#shared/clock.ts'
import { makeRoomToOpen } from '#shared/disk/disk-reserve.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import type { RelayDatabase } from './database.ts'
import { cannotOpen } from './postgres/postgres-cannot-open.ts'
import { PostgresDatabase } from './postgres/postgres-database.ts'
import { PostgresWatch } from './postgres/postgres-watch.ts'
import { DatabaseCheck } from './sqlite/database-check.ts'
import { realDatabasePath, tracesOfDatabase } from './sqlite/database-path.ts'
import { holdDatabase } from './sqlite/relay-lock.ts'
import { SqliteDatabase, whyNotStored } from './sqlite/sqlite-database.ts'
import { StorageWatch } from './sqlite/storage-watch.ts'
import { StorageRefusal } from './storage-refusal.ts'

/** An `admin` command that was begun without a relay has a moment to end. */
const COMMAND_ENDS_WITHIN_MS = 5_000

export interface StorageOptions {
  /** SQLite file; not used with `url`. */
  file: string
  /** `postgres://...` */
  url: string | undefined
  slots: number
  readers: number
  clock: Clock
  log: Logger
  /** The state on disk is unknown: the program must end. Never called with PostgreSQL. */
  onFatal: (error: unknown) => void
}

export interface OpenStorage {
  db: RelayDatabase
  /** Reports problems of the storage, and their end. Started before orders are accepted. */
  watch: Service & { readonly warnings: readonly string[] }
  /** Started when orders are taken. */
  check: Service | null
  /** Gives back the hold of the file, after `db.close`. */
  letGo: () => void
}

/** @throws CannotOpen, DatabaseHeld */
export function openStorage(options: StorageOptions): Promise<OpenStorage> {
  return options.url === undefined ? openFile(options) : openServer({ ...options, url: options.url })
}

async function openFile({ file: named, clock, log, onFatal }: StorageOptions): Promise<OpenStorage> {
  const file = realDatabasePath(named)
  const traces = tracesOfDatabase(file)
  const letGo = await holdDatabase(file, { clock, withinMs: COMMAND_ENDS_WITHIN_MS })
  try {
    if (traces.length > 0) log.warn({ file, traces }, 'there was a database here before: a new, empty one is made now')
    makeRoomToOpen(file)
    const db = await SqliteDatabase.open(file, onFatal)
    return { db, watch: new StorageWatch({ db, clock, log }), check: new DatabaseCheck({ db, clock, log }), letGo }
  } catch (error) {
    letGo()
    throw error
  }
}

async function openServer({ url, slots, readers, clock, log }: StorageOptions & { url: string }): Promise<OpenStorage> {
  const onWaiting = () => log.info('another relay brings the database to its schema: this one starts when that is done')
  const db = await PostgresDatabase.open({ url, slots, readers, clock, onWaiting })
  return { db, watch: new PostgresWatch({ db, clock, log }), check: null, letGo: () => {} }
}

/** At a start: a refusal or an error of the database as a CannotOpen, in words for the operator; any other error as it is. */
export function whyNotOpened({ file, url }: Pick<StorageOptions, 'file' | 'url'>, error: unknown): unknown {
  if (url === undefined) return whyNotStored(file, error)
  return cannotOpen(url, error instanceof StorageRefusal ? (error.cause ?? error) : error)
}
