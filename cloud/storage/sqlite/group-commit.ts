// The relay's single writer: all units of work that queued meanwhile share one durable COMMIT. Measured in docs/decisions/0003-group-commit.md.
import type Database from 'better-sqlite3'
import { isLocked, type StorageGate } from '#cloud/storage/storage-gate.ts'
import { StorageRefusal } from '#cloud/storage/storage-refusal.ts'
import { ServiceError } from '#shared/errors.ts'
import { isUndoneCommit } from '#shared/sqlite-fault.ts'
import { type LockClock, untilUnlocked } from './lock-patience.ts'

/** Units that may wait for the writer; one more is refused with 503. */
const MAX_WAITING = 2_048
/** Units that share one COMMIT. */
const MAX_GROUP = 256
/** Turns of the event loop that a COMMIT may be put off. */
const MAX_TURNS = 4

interface Waiter {
  resolve(): void
  reject(error: unknown): void
}

/** Called just before each COMMIT, and just after one that is on disk. Neither may throw. */
export interface AroundCommit {
  beforeCommit?: () => void
  afterCommit?: () => void
}

export interface GroupCommitOptions extends AroundCommit {
  gate: StorageGate
  clock: LockClock
  /** COMMIT failed, and whether it is on disk is unknown: the process must die and read again. */
  onFatal: (error: unknown) => void
}

/** What a unit that shares its savepoint is rejected with when a neighbour failed: none of it is left, it may run again. */
export class UndoneWithNeighbour extends Error {
  override readonly name = 'UndoneWithNeighbour'
}

/**
 * The single writer. States: closed (no transaction) -> open (BEGIN IMMEDIATE done) -> closed by COMMIT.
 * A unit holds the lock from `begin` to `commit` or `rollback`; its promise settles only after the group's COMMIT. It has a SAVEPOINT of
 * its own, or shares one with the units beside it that said so: SQLite copies every page that a unit touches for each savepoint.
 * The COMMIT runs from setImmediate once no unit holds or waits for the lock and the last turn of the event loop has brought no other,
 * after four more turns at the latest, or when the group is full.
 * An error of the disk undoes the whole group, each unit with a StorageRefusal. Which errors leave what on disk:
 * docs/decisions/0073-full-disks-locks-damage.md.
 */
export class GroupCommit {
  readonly #db: Database.Database
  readonly #options: GroupCommitOptions
  readonly #steps: ReturnType<typeof prepareSteps>
  #open = false
  #held = false
  #scheduled = false
  #waiting: Waiter[] = []
  #group: Waiter[] = []
  /** Where in `#group` the units begin that share the open savepoint; null when none is open. */
  #sharedFrom: number | null = null
  /** Whether the unit that holds the lock shares its savepoint. */
  #shares = false

  /** The disk's error within the open transaction: its units are rolled back, however they handle it. */
  #fault: StorageRefusal | null = null

  constructor(db: Database.Database, options: GroupCommitOptions) {
    this.#db = db
    this.#options = options
    this.#steps = prepareSteps(db)
  }

  /** Units that wait for the writer. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** @throws StorageRefusal when no unit is taken now, or another program has had the lock for too long */
  async begin(shares = false): Promise<void> {
    const sinceMs = this.#options.clock.monotonicMs()
    this.#check()
    if (this.#held) await this.#wait()
    this.#held = true
    this.#shares = shares
    try {
      this.#check()
      if (!this.#open && !this.#tryBegin()) await this.#waitForLock(sinceMs)
      this.#open = true
      this.#mark()
    } catch (error) {
      const thrown = this.faulted(error)
      const refusal = this.#undone()
      if (refusal !== null) this.#giveUp(refusal)
      this.#unlock()
      throw thrown
    }
  }

  /** Resolves when the unit is on disk. */
  async commit(): Promise<void> {
    const refusal = this.#release() ?? this.#undone()
    if (refusal !== null) {
      this.#giveUp(refusal)
      this.#unlock()
      throw refusal
    }
    const durable = new Promise<void>((resolve, reject) => this.#group.push({ resolve, reject }))
    this.#unlock()
    await durable
  }

  /** An error within the open transaction. @returns what to throw in its place: a refusal when the disk is at fault, else the error itself */
  faulted(error: unknown): unknown {
    const thrown = this.#options.gate.refusalOf(error)
    if (thrown instanceof StorageRefusal && thrown !== error) this.#fault ??= thrown
    return thrown
  }

  /**
   * Rolls this unit back, and those that share its savepoint, which may run again; the others of the group continue.
   * @returns the error for the unit's caller when the whole group had to be rolled back because of the disk; else null
   */
  rollback(): StorageRefusal | null {
    const refusal = this.#undone() ?? this.#undoUnit()
    if (refusal !== null) this.#giveUp(refusal)
    this.#unlock()
    return refusal
  }

  /** Commits what waits for the next COMMIT, because the connection is about to be closed. */
  flush(): void {
    if (!this.#held) this.#commitGroup()
  }

  /**
   * Whether the lock is available now, without a unit that needs it: this detects the end of a lock while no unit waits. Never throws: a
   * timer calls it, and the gate reports an error of the disk.
   */
  probeLock(): void {
    if (this.#held || this.#open || !this.#db.open) return
    try {
      if (this.#tryBegin()) this.#db.exec('ROLLBACK')
    } catch (error) {
      this.#options.gate.refusalOf(error)
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK')
    }
  }

  #check(): void {
    const refusal = this.#options.gate.refusal()
    if (refusal !== null) throw refusal
  }

  /** @returns whether the transaction is open; false: another program has the lock. @throws any other error of SQLite */
  #tryBegin(): boolean {
    const { gate } = this.#options
    try {
      this.#steps.begin.run()
      gate.lockFree()
      return true
    } catch (error) {
      if (!isLocked(error)) throw error
      gate.lockHeld(error)
      return false
    }
  }

  /** Later units wait behind this one, and reads continue. */
  async #waitForLock(sinceMs: number): Promise<void> {
    const attempt = (): true | null => {
      // Closed meanwhile: the relay stops.
      if (!this.#db.open) throw new ServiceError('service.unavailable', { retryAfterSeconds: 1 })
      return this.#tryBegin() || null
    }
    const got = await untilUnlocked(this.#options.clock, attempt, { sinceMs })
    if (got === null) throw new StorageRefusal('locked')
  }

  /** Why nothing of the open transaction can be kept; null: it can. */
  #undone(): StorageRefusal | null {
    if (this.#fault !== null) return this.#fault
    return this.#open && !this.#db.inTransaction ? new StorageRefusal('undone') : null
  }

  /** @returns why nothing of the group can be kept; null: it was released */
  #release(): StorageRefusal | null {
    if (this.#shares || this.#fault !== null) return null
    return this.#step(() => void this.#steps.release.run())
  }

  #undoUnit(): StorageRefusal | null {
    const undone = this.#shares ? this.#group.splice(this.#sharedFrom ?? 0) : []
    this.#sharedFrom = null
    const refusal = this.#step(() => {
      this.#steps.undo.run()
      this.#steps.release.run()
    })
    for (const unit of undone) unit.reject(new UndoneWithNeighbour())
    return refusal
  }

  #step(run: () => void): StorageRefusal | null {
    try {
      run()
      return null
    } catch (error) {
      const thrown = this.faulted(error)
      return thrown instanceof StorageRefusal ? thrown : new StorageRefusal('undone', error)
    }
  }

  /** Nothing of the group is kept, and that is known: no record of its commit was written. */
  #giveUp(refusal: StorageRefusal): void {
    const group = this.#group
    this.#group = []
    this.#sharedFrom = null
    this.#open = false
    this.#fault = null
    try {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK')
    } catch (error) {
      this.#fail(group, error)
      return
    }
    for (const unit of group) unit.reject(refusal)
  }

  /** Sets or joins the savepoint to which this unit would be undone. All have one name: the youngest is meant. */
  #mark(): void {
    if (this.#shares && this.#sharedFrom !== null) return
    // What is shared ends here: a unit with its own savepoint is never undone for another's sake.
    if (this.#sharedFrom !== null) this.#steps.release.run()
    this.#sharedFrom = this.#shares ? this.#group.length : null
    this.#steps.savepoint.run()
  }

  #fail(units: readonly Waiter[], error: unknown): void {
    for (const unit of units) unit.reject(error)
    this.#options.onFatal(error)
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= MAX_WAITING) throw new ServiceError('service.unavailable', { retryAfterSeconds: 1 })
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  #unlock(): void {
    if (this.#group.length >= MAX_GROUP) this.#commitGroup()
    const next = this.#waiting.shift()
    if (next) {
      next.resolve()
      return
    }
    this.#held = false
    if (this.#scheduled || !this.#open) return
    this.#scheduled = true
    this.#commitSoon(MAX_TURNS)
  }

  /** In the next turn of the event loop, or in a later one as long as each turn brings more units: they share one wait for the disk. */
  #commitSoon(turnsLeft: number): void {
    const before = this.#group.length
    setImmediate(() => {
      if (turnsLeft > 0 && this.#open && this.#group.length > before) return this.#commitSoon(turnsLeft - 1)
      this.#scheduled = false
      if (!this.#held) this.#commitGroup()
    })
  }

  #commitGroup(): void {
    if (!this.#open) return
    const group = this.#group
    this.#group = []
    this.#sharedFrom = null
    this.#open = false
    try {
      this.#options.beforeCommit?.()
      this.#steps.commit.run()
    } catch (error) {
      this.#commitFailed(group, error)
      return
    }
    this.#options.gate.committed()
    this.#options.afterCommit?.()
    // The youngest first: a job's claim is a younger unit of the group that holds its order, so it is sent before the client is answered.
    for (const unit of group.reverse()) unit.resolve()
  }

  #commitFailed(group: Waiter[], error: unknown): void {
    if (!isUndoneCommit(error)) {
      this.#fail(group, error)
      return
    }
    this.#options.gate.full(error)
    this.#group = group
    this.#giveUp(new StorageRefusal('full', error))
  }
}

/** Prepared once, because parsing them for each unit costs more than running them. */
function prepareSteps(db: Database.Database) {
  return {
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    savepoint: db.prepare('SAVEPOINT unit'),
    release: db.prepare('RELEASE unit'),
    undo: db.prepare('ROLLBACK TO unit'),
  }
}
