// Care of the box: what it needs to run for years without anybody looking, and what it must say when it cannot.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GatewayDatabase } from '#gateway/storage/database.ts'
import type { DiskVerdict } from '#gateway/storage/disk-proof.ts'
import type { HistoryStore } from '#gateway/storage/history-store.ts'
import { lastReplacement } from '#gateway/storage/quarantine.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import { type BoxAlarm, type BoxFacts, boxAlarms } from './box-alarm.ts'
import { type BoxSensors, readSensors } from './box-sensors.ts'
import { type Disk, DiskRoom } from './disk-room.ts'

export interface BoxCareOptions {
  /** The database's file. */
  file: string
  db: GatewayDatabase
  /** What was found of the disk at the start. */
  image: DiskVerdict
  /** How many of the tickets that were marked for it have been taken out, on the word of the relay. */
  withdrawn: () => number
  history: HistoryStore
  /** Relay time, and whether the relay has told it. */
  time: TimeSource & { offsetMs(): number | null }
  clock: Clock
  log: Logger
  rssBytes: () => number
  /** What the system allows this process; null: no limit. */
  memoryLimitBytes: number | null
  /** Where the updater notes what it did; null: this gateway was not installed as a package. */
  updateFolder: string | null
  /** Default: where the kernel shows devices. */
  devicesFolder?: string
  /** Default: asks the file system. */
  measureDisk?: () => Disk | null
}

/** A version, as the updater writes it. */
const VERSION = /^[0-9][0-9A-Za-z.+~-]{0,40}$/

export class BoxCare implements Service {
  readonly #options: BoxCareOptions
  readonly #disk: DiskRoom
  #behindLastRunMs = 0

  constructor(options: BoxCareOptions) {
    this.#options = options
    const { measureDisk: measure } = options
    this.#disk = new DiskRoom({ ...options, ...(measure && { measure }) })
  }

  async start(): Promise<void> {
    const { time, clock } = this.#options
    // The gateway's time begins no earlier than what the last run noted; a board without a battery begins in the past.
    this.#behindLastRunMs = Math.max(0, time.now() - clock.now())
    await this.#disk.start()
  }

  async stop(): Promise<void> {
    await this.#disk.stop()
  }

  /** How the machine is now. */
  figures(): Pick<BoxFacts, 'disk' | 'memory' | 'clock'> & BoxSensors {
    const { disk, memory, clock } = this.#facts()
    return { disk, memory, clock, ...readSensors(this.#options.devicesFolder ?? '/sys') }
  }

  /** What somebody should know of the box now. */
  alarms(): BoxAlarm[] {
    return boxAlarms(this.#facts())
  }

  #facts(): BoxFacts {
    const { file, image, withdrawn, time, rssBytes, memoryLimitBytes } = this.#options
    const replaced = lastReplacement(file)
    return {
      disk: this.#disk.disk,
      clock: { offsetMs: time.offsetMs(), behindLastRunMs: this.#behindLastRunMs },
      database: replaced && { ...replaced, replacedAtMs: replaced.atMs },
      image: { ...image, withdrawn: withdrawn() },
      memory: { rssBytes: rssBytes(), limitBytes: memoryLimitBytes },
      update: this.#update(),
      nowMs: time.now(),
    }
  }

  #update(): BoxFacts['update'] {
    const { updateFolder } = this.#options
    if (updateFolder === null) return null
    const versionIn = (name: string): string | null => {
      try {
        const version = readFileSync(join(updateFolder, name), 'utf8').trim()
        return VERSION.test(version) ? version : null
      } catch {
        return null
      }
    }
    return { undoneVersion: versionIn('undone'), availableVersion: versionIn('available') }
  }
}
