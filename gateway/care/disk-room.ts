// Keeps the disk usable: a reserve that is given up when it is full, and the oldest finished history goes before orders suffer.
import { type GatewayDatabase, isDiskFull } from '#gateway/storage/database.ts'
import type { HistoryStore } from '#gateway/storage/history-store.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import { type Disk, DiskReserve, measureDisk, RESERVE_BYTES, ROOM_BYTES } from '#shared/disk/disk-reserve.ts'
import { LOW_DISK_BYTES } from '#shared/health-limits.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'

export interface DiskRoomOptions {
  /** The database's file. The reserve is beside it. */
  file: string
  db: GatewayDatabase
  history: HistoryStore
  time: TimeSource
  clock: Clock
  log: Logger
  /** Default: asks the file system. Null: it cannot be asked. */
  measure?: () => Disk | null
}

const CHECK_EVERY_MS = 60_000
/** While the disk is low, so much room is kept inside the database by deleting what is oldest. */
const REUSABLE_BYTES = RESERVE_BYTES
/** What was finished within the last hour stays: somebody may need it. */
const ALWAYS_KEPT_MS = 3_600_000
const BATCH = 100
/** Between batches the printers have their turn. */
const PAUSE_MS = 50

export class DiskRoom implements Service {
  readonly #options: DiskRoomOptions
  readonly #reserve: DiskReserve
  readonly #measure: () => Disk | null
  #disk: Disk | null = null
  #measuredMs: number | null = null
  #isFull = false
  #cancelCheck: Cancel | null = null
  #cancelPruning: Cancel | null = null
  #forget: (() => void) | null = null

  constructor(options: DiskRoomOptions) {
    this.#options = options
    this.#reserve = new DiskReserve(options.file)
    this.#measure = options.measure ?? (() => measureDisk(options.file))
  }

  get disk(): (Disk & { isFull: boolean }) | null {
    return this.#disk && { ...this.#disk, isFull: this.#isFull }
  }

  /** It was measured within twice the time after which it is. */
  get isHeard(): boolean {
    return this.#measuredMs !== null && this.#options.clock.monotonicMs() - this.#measuredMs <= 2 * CHECK_EVERY_MS
  }

  async start(): Promise<void> {
    if (this.#cancelCheck) return
    const { clock, db } = this.#options
    this.#forget = db.full.subscribe(() => this.#onFull())
    this.#isFull = !this.#reserve.isThere
    this.#check()
    this.#cancelCheck = clock.every(CHECK_EVERY_MS, () => this.#check())
  }

  async stop(): Promise<void> {
    this.#cancelCheck?.()
    this.#cancelPruning?.()
    this.#forget?.()
    this.#cancelCheck = null
    this.#cancelPruning = null
  }

  #check(): void {
    this.#disk = this.#measure()
    this.#measuredMs = this.#options.clock.monotonicMs()
    if (this.#disk === null) return
    const { freeBytes } = this.#disk
    if (this.#isFull && freeBytes >= ROOM_BYTES) this.#fillReserve()
    if (freeBytes < LOW_DISK_BYTES) this.#pruneSoon()
  }

  /** The transaction that found no room is tried again by its owner: the reserve must be free by then. */
  #onFull(): void {
    const { log } = this.#options
    if (!this.#isFull) log.error('the disk is full: the reserve is given up, the oldest finished history goes')
    this.#isFull = true
    this.#reserve.giveUp()
    this.#disk = this.#measure()
    this.#pruneSoon()
  }

  #pruneSoon(): void {
    this.#cancelPruning ??= this.#options.clock.after(PAUSE_MS, () => {
      this.#cancelPruning = null
      if (this.#prune()) this.#pruneSoon()
    })
  }

  /** @returns whether there is more to do, and to delete */
  #prune(): boolean {
    const { db, history, time, log } = this.#options
    try {
      if (db.reusableBytes() >= REUSABLE_BYTES) return false
      const pruned = history.prune(time.now() - ALWAYS_KEPT_MS, BATCH)
      if (pruned > 0) log.warn({ jobs: pruned }, 'the disk is low: oldest finished jobs deleted')
      return pruned === BATCH
    } catch (error) {
      if (!isDiskFull(error)) throw error
      return false
    }
  }

  #fillReserve(): void {
    const { log } = this.#options
    try {
      this.#reserve.layAside()
      this.#isFull = false
    } catch (error) {
      log.warn({ err: error }, 'no reserve could be laid aside on the disk')
    }
  }
}
