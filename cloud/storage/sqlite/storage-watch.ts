// Watches the disk and the file of the relay: measures free space, keeps a reserve, logs the start and end of each trouble, and lets units retry.

import type { Trouble, TroubleChange } from '#cloud/storage/storage-gate.ts'
import { isOfServer, type ServerTrouble } from '#cloud/storage/storage-refusal.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import { type Disk, DiskReserve, measureDisk, RESERVE_BYTES, ROOM_BYTES } from '#shared/disk/disk-reserve.ts'
import { LOG_NARROWED } from '#shared/disk/file-modes.ts'
import type { Logger } from '#shared/log.ts'
import { LOG_NOT_COPIED } from '#shared/quiet-checkpoint.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import type { Service } from '#shared/service.ts'
import type { SqliteDatabase } from './sqlite-database.ts'

export interface StorageWatchOptions {
  db: SqliteDatabase
  clock: Clock
  log: Logger
  /** Default: asks the file system. Null: it cannot be asked. */
  measure?: () => Disk | null
}

const LOOK_EVERY_MS = 1_000
/** The disk is low below this, or below a tenth of it, whichever is less; but always below the room without which a full disk stays full. */
const LOW_BYTES = 1024 * 1024 * 1024

type FileTrouble = Exclude<Trouble, ServerTrouble>

const BEGINS: Readonly<Record<FileTrouble, string>> = {
  full: 'the disk is full: nothing is stored and no order is taken until there is room; reads continue',
  locked: 'another program holds the database: what is to be stored waits, and is refused after 3 s; reads continue',
  damaged:
    'the database is damaged: nothing is stored any more; put the newest copy in its place by `admin restore FILE` (docs/relay-backup.md)',
}
const ENDS: Readonly<Record<FileTrouble, string>> = {
  full: 'there is room on the disk again: orders are taken',
  locked: 'the database is free again: orders are taken',
  damaged: 'the database is whole again',
}

export class StorageWatch implements Service {
  readonly #options: StorageWatchOptions
  readonly #reserve: DiskReserve
  readonly #lines: SampledLog
  #isLow = false
  #cancel: Cancel | null = null
  #unsubscribe: (() => void)[] = []

  constructor(options: StorageWatchOptions) {
    const { db, clock, log } = options
    this.#options = options
    this.#reserve = new DiskReserve(db.file)
    this.#lines = new SampledLog(log, clock)
    this.#unsubscribe = [
      db.gate.changed.subscribe((change) => this.#changed(change)),
      db.gate.failed.subscribe((err) =>
        this.#lines.error('disk', { err }, 'the disk did not answer: what was asked of it is refused'),
      ),
      db.copyFailed.subscribe((err) => log.warn({ err }, LOG_NOT_COPIED)),
    ]
    if (db.narrowed.length > 0) log.warn({ files: db.narrowed }, LOG_NARROWED)
  }

  /** What an operator should see to before it is a trouble. */
  get warnings(): string[] {
    return this.#isLow || this.#options.db.gate.has('full') ? ['disk'] : []
  }

  /** From now on no unit is taken while there is no room. Whatever the start of the relay writes comes before: it may use the last of it. */
  async start(): Promise<void> {
    if (this.#cancel) return
    this.#look()
    this.#cancel = this.#options.clock.every(LOOK_EVERY_MS, () => this.#look())
  }

  async stop(): Promise<void> {
    this.#cancel?.()
    this.#cancel = null
    for (const end of this.#unsubscribe) end()
  }

  #look(): void {
    const { db } = this.#options
    if (db.gate.has('locked')) db.probeLock()
    const disk = this.#measured()
    // One that cannot be measured is tried: units are refused again by its first error.
    if (disk === null || disk.freeBytes >= ROOM_BYTES) db.gate.roomAgain()
    else if (disk.freeBytes < RESERVE_BYTES) db.gate.full(null)
    if (disk === null) return
    if (disk.freeBytes >= ROOM_BYTES) this.#layAside()
    this.#judge(disk)
  }

  #measured(): Disk | null {
    const { db, measure = () => measureDisk(db.file) } = this.#options
    return measure()
  }

  #judge({ freeBytes, totalBytes }: Disk): void {
    const { log } = this.#options
    const isLow = freeBytes < Math.max(ROOM_BYTES, Math.min(LOW_BYTES, totalBytes / 10))
    // The full disk was reported already.
    if (isLow === this.#isLow || (isLow && this.#options.db.gate.has('full'))) return
    this.#isLow = isLow
    if (isLow) log.warn({ freeBytes, totalBytes }, 'the disk is nearly full: make room before orders are refused')
    else log.info({ freeBytes, totalBytes }, 'there is enough room on the disk again')
  }

  /** For the line of a full disk: which, and how much must be made free. */
  #room(): { file: string; freeBytes?: number; neededBytes: number } {
    const disk = this.#measured()
    return {
      file: this.#options.db.file,
      ...(disk !== null && { freeBytes: disk.freeBytes }),
      neededBytes: ROOM_BYTES,
    }
  }

  #layAside(): void {
    if (this.#reserve.isThere) return
    try {
      this.#reserve.layAside()
    } catch (error) {
      this.#lines.warn('disk', { err: error }, 'no reserve could be laid aside on the disk')
    }
  }

  #changed({ trouble, began, lastedMs, cause }: TroubleChange): void {
    if (isOfServer(trouble)) return
    const { log } = this.#options
    // Measured before the reserve is given up: so little was there.
    const room = trouble === 'full' && began ? this.#room() : {}
    if (trouble === 'full' && began) this.#reserve.giveUp()
    const ms = Math.round(lastedMs)
    if (began) log.error({ trouble, ...room, ...(cause !== null && { err: cause }) }, BEGINS[trouble])
    else log.warn({ trouble, ms }, ENDS[trouble])
  }
}
