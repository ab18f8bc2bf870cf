// Care of the box: what it needs to run unattended for years, and what it must report when it cannot.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GatewayDatabase } from '#gateway/storage/database.ts'
import type { DiskVerdict } from '#gateway/storage/disk-proof.ts'
import type { HistoryStore } from '#gateway/storage/history-store.ts'
import { lastReplacement } from '#gateway/storage/quarantine.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { Clock } from '#shared/clock.ts'
import type { Disk } from '#shared/disk/disk-reserve.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import { readSensors } from './box-sensors.ts'
import { DiskRoom } from './disk-room.ts'
import type { BoxFacts } from './health-facts.ts'

export interface BoxCareOptions {
  /** The database's file. */
  file: string
  db: GatewayDatabase
  /** What was found of the disk at the start. */
  image: DiskVerdict
  /** What became of what waited: how many marked tickets were taken out on the word of the relay, and whether it is still waited for. */
  doubt: { readonly withdrawn: number; readonly isHolding: boolean }
  history: HistoryStore
  /** Relay time, and whether it came from the relay. */
  time: TimeSource & { offsetMs(): number | null }
  clock: Clock
  log: Logger
  rssBytes: () => number
  /** What the system allows this process; null: no limit. */
  memoryLimitBytes: number | null
  /** Where the updater notes what it did; null: this gateway was not installed as a package. */
  updateFolder: string | null
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

  /** How the machine is now, and what happened to it. */
  facts(): BoxFacts {
    const { file, image, doubt, time, rssBytes, memoryLimitBytes } = this.#options
    const replaced = lastReplacement(file)
    return {
      disk: this.#disk.disk,
      clock: { offsetMs: time.offsetMs(), behindLastRunMs: this.#behindLastRunMs },
      database: replaced && { ...replaced, replacedAtMs: replaced.atMs },
      image: { ...image, withdrawn: doubt.withdrawn, isHolding: doubt.isHolding },
      memory: { rssBytes: rssBytes(), limitBytes: memoryLimitBytes },
      ...readSensors('/sys'),
      update: this.#update(),
      nowMs: time.now(),
      unheard: this.#disk.isHeard ? [] : [{ part: 'disk', name: '' }],
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
