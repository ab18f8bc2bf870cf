// Whether transactions are accepted: not while the disk is full, the file is damaged or the server is unreachable. Reports when each problem begins and ends.
import type { Clock } from '#shared/clock.ts'
import { Signal } from '#shared/signal.ts'
import { isSqliteError, isUnexpectedAnswer, sqliteFault } from '#shared/sqlite-fault.ts'
import { type ServerTrouble, StorageRefusal } from './storage-refusal.ts'

export type Trouble = 'full' | 'locked' | 'damaged' | ServerTrouble

export interface TroubleChange {
  trouble: Trouble
  /** False: it has ended. */
  began: boolean
  /** How long it has lasted, in milliseconds. */
  lastedMs: number
  /** The database's error at the beginning. */
  cause: unknown
}

/** Another program, such as an SQLite shell, may lock the file for milliseconds: that is not reported. */
export const LOCK_IS_TROUBLE_MS = 500

export class StorageGate {
  /** A trouble began or ended. */
  readonly changed = new Signal<TroubleChange>()
  /** The system refused to read or write. An event, not a state: fired each time. */
  readonly failed = new Signal<unknown>()
  /** An error that a whole database does not give, or a wrong program. */
  readonly suspected = new Signal<Error>()
  readonly #clock: Pick<Clock, 'monotonicMs'>
  /** Since when, as are those of the server. */
  #full: number | null = null
  /** There was room when it was measured last: units may try, and the first that is on disk ends the trouble. */
  #mayTry = false
  #locked: { atMs: number; isTold: boolean } | null = null
  #damaged: StorageRefusal | null = null
  readonly #ofServer = new Map<ServerTrouble, number>()

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  /** Whether callers suffer from it now. Of a full disk: no more from the moment on in which units may try again. */
  has(trouble: Trouble): boolean {
    if (trouble === 'full') return this.#full !== null && !this.#mayTry
    if (trouble === 'locked') return this.#locked?.isTold === true
    if (trouble === 'damaged') return this.#damaged !== null
    return this.#ofServer.has(trouble)
  }

  /** Why no unit is taken; null: it may try. */
  refusal(): StorageRefusal | null {
    if (this.#damaged !== null) return new StorageRefusal('damaged', this.#damaged.cause)
    if (this.#full !== null && !this.#mayTry) return new StorageRefusal('full')
    for (const trouble of this.#ofServer.keys()) return new StorageRefusal(trouble)
    return null
  }

  /** The error for the caller, in place of an SQLite error about the disk or the file; any other as it is. */
  refusalOf(error: unknown): unknown {
    const fault = sqliteFault(error)
    if (isUnexpectedAnswer(error)) this.suspected.notify(error)
    if (fault === null) return error
    if (fault === 'full') this.full(error)
    if (fault === 'damaged') this.damaged(error)
    if (fault === 'failing') this.failed.notify(error)
    return new StorageRefusal(fault, error)
  }

  /** There is no room. */
  full(cause: unknown): void {
    this.#mayTry = false
    if (this.#full !== null) return
    this.#full = this.#clock.monotonicMs()
    this.changed.notify({ trouble: 'full', began: true, lastedMs: 0, cause })
  }

  /** There is room: units may try. */
  roomAgain(): void {
    this.#mayTry = true
  }

  /** A COMMIT is on disk. One that was in progress when the disk became full proves nothing about the free space. */
  committed(): void {
    if (this.#full === null || !this.#mayTry) return
    const sinceMs = this.#full
    this.#full = null
    this.#ended('full', sinceMs)
  }

  /** Another program has the lock for writing: called at each try. */
  lockHeld(cause: unknown): void {
    const now = this.#clock.monotonicMs()
    this.#locked ??= { atMs: now, isTold: false }
    const lastedMs = now - this.#locked.atMs
    if (this.#locked.isTold || lastedMs < LOCK_IS_TROUBLE_MS) return
    this.#locked.isTold = true
    this.changed.notify({ trouble: 'locked', began: true, lastedMs, cause })
  }

  /** The lock was ours. */
  lockFree(): void {
    if (this.#locked === null) return
    const { atMs, isTold } = this.#locked
    this.#locked = null
    if (isTold) this.#ended('locked', atMs)
  }

  /** For good: a write to a damaged tree can destroy what is whole. */
  damaged(cause: unknown): void {
    if (this.#damaged !== null) return
    this.#damaged = new StorageRefusal('damaged', cause)
    this.changed.notify({ trouble: 'damaged', began: true, lastedMs: 0, cause })
  }

  /** Units are refused until `serverAnswers`, or `commitsAnswer`. */
  serverFails(trouble: ServerTrouble, cause: unknown): void {
    if (this.#ofServer.has(trouble)) return
    this.#ofServer.set(trouble, this.#clock.monotonicMs())
    this.changed.notify({ trouble, began: true, lastedMs: 0, cause })
  }

  /** It answers, and it takes writes. */
  serverAnswers(): void {
    this.#serverMends('away')
    this.#serverMends('readOnly')
  }

  /** It has confirmed a COMMIT. */
  commitsAnswer(): void {
    this.#serverMends('stuck')
  }

  #serverMends(trouble: ServerTrouble): void {
    const sinceMs = this.#ofServer.get(trouble)
    if (sinceMs === undefined) return
    this.#ofServer.delete(trouble)
    this.#ended(trouble, sinceMs)
  }

  #ended(trouble: Trouble, sinceMs: number): void {
    this.changed.notify({ trouble, began: false, lastedMs: this.#clock.monotonicMs() - sinceMs, cause: null })
  }
}

/** Whether it is an SQLite error that another program has the lock just now. */
export function isLocked(error: unknown): boolean {
  return isSqliteError(error) && sqliteFault(error) === 'locked'
}
