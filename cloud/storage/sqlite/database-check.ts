// Looks for damage while the relay works: after the start in a file too large to be checked before it, every night in all of it, and at once
// when an error makes one think of it.
import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Cancel, Clock } from '#shared/clock.ts'
import { codeOf } from '#shared/code-of.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import type { Depth } from './find-damage.ts'
import { CHECKED_AT_OPEN_BYTES } from './open-file.ts'
import type { SqliteDatabase } from './sqlite-database.ts'

export interface DatabaseCheckOptions {
  db: Pick<SqliteDatabase, 'file' | 'gate'>
  clock: Clock
  log: Logger
  /** Default: looks in a thread. */
  look?: (file: string, depth: Depth) => { found: Promise<string | null>; end: () => Promise<unknown> }
  /** Default: a file that was too large to be checked at opening. */
  checkAtStart?: boolean
}

const LOOK_AT_CLOCK_MS = 600_000
/** By the clock of the machine. */
const NIGHT_HOUR = 4
const NOT_AGAIN_MS = 12 * 3_600_000
const HOUR = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23' })

/** A finding is damage of the file, reported like an error of SQLite. */
class FoundDamage extends Error {
  override readonly name = 'FoundDamage'
}

export class DatabaseCheck implements Service {
  readonly #options: DatabaseCheckOptions
  #timer: Cancel | null = null
  #running: { end: () => Promise<unknown> } | null = null
  #lastMs = Number.NEGATIVE_INFINITY
  readonly #lastSuspicionMs = { constraint: Number.NEGATIVE_INFINITY, other: Number.NEGATIVE_INFINITY }
  #unsubscribe: (() => void) | null = null

  constructor(options: DatabaseCheckOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    if (this.#timer) return
    const { clock, db, checkAtStart = statSync(db.file).size > CHECKED_AT_OPEN_BYTES } = this.#options
    this.#timer = clock.every(LOOK_AT_CLOCK_MS, () => this.#atNight())
    this.#unsubscribe = db.gate.suspected.subscribe((error) => this.#suspect(error))
    if (checkAtStart) void this.#check('quick')
  }

  /** A check under way is cut off. */
  async stop(): Promise<void> {
    this.#timer?.()
    this.#timer = null
    this.#unsubscribe?.()
    await this.#running?.end()
  }

  #atNight(): void {
    const { clock } = this.#options
    const isTime = Number(HOUR.format(clock.now())) === NIGHT_HOUR
    if (!isTime || clock.monotonicMs() - this.#lastMs < NOT_AGAIN_MS) return
    this.#lastMs = clock.monotonicMs()
    void this.#check('thorough')
  }

  /**
   * Once for all errors of half a day: where nothing is found it is the program that is wrong, and looking again would not help. Constraints
   * count by themselves: a stranger who finds one to break must not use up the look at what only damage gives.
   */
  #suspect(error: Error): void {
    const { clock, log } = this.#options
    const kind = codeOf(error).startsWith('SQLITE_CONSTRAINT') ? 'constraint' : 'other'
    if (this.#running !== null || clock.monotonicMs() - this.#lastSuspicionMs[kind] < NOT_AGAIN_MS) return
    this.#lastSuspicionMs[kind] = clock.monotonicMs()
    log.warn({ err: error }, 'an error that a sound database does not give: it is checked now')
    void this.#check('thorough')
  }

  async #check(depth: Depth): Promise<void> {
    if (this.#running !== null) return
    const { db, clock, log, look = lookInThread } = this.#options
    const sinceMs = clock.monotonicMs()
    const running = look(db.file, depth)
    this.#running = running
    try {
      const found = await running.found
      const ms = Math.round(clock.monotonicMs() - sinceMs)
      if (found === null) log.info({ depth, ms }, 'the database was checked: it is whole')
      else db.gate.damaged(new FoundDamage(found))
    } catch (error) {
      if (this.#timer !== null)
        log.warn({ err: error, depth }, 'the database could not be checked; tried again next night')
    } finally {
      this.#running = null
    }
  }
}

function lookInThread(file: string, depth: Depth): { found: Promise<string | null>; end: () => Promise<unknown> } {
  const worker = new Worker(new URL('./check-worker.ts', import.meta.url), { workerData: { file, depth } })
  worker.unref()
  const { promise, resolve, reject } = Promise.withResolvers<string | null>()
  worker.once('message', resolve).once('error', reject)
  worker.once('exit', () => reject(new Error('the thread ended before it had looked')))
  return { found: promise, end: () => worker.terminate() }
}
