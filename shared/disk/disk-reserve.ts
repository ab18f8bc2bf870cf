// Free space on the disk of a database, and a reserve file that is deleted when there is none, so that the program keeps running and can start.
import { existsSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Disk {
  freeBytes: number
  totalBytes: number
}

/** A busy evening of orders. */
export const RESERVE_BYTES = 8 * 1024 * 1024
/** With so much free there is room again, and for the reserve too. */
export const ROOM_BYTES = 2 * RESERVE_BYTES

const RESERVE = 'reserve'

/** Null: the file system does not report it. */
export function measureDisk(file: string): Disk | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(dirname(file))
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  } catch {
    return null
  }
}

/** Gives up the reserve when there is no room to open the database. Before the database is opened. */
export function makeRoomToOpen(file: string): void {
  const disk = measureDisk(file)
  if (disk !== null && disk.freeBytes < RESERVE_BYTES / 8) new DiskReserve(file).giveUp()
}

/** Beside the database. */
export class DiskReserve {
  readonly #path: string

  constructor(databaseFile: string) {
    this.#path = join(dirname(databaseFile), RESERVE)
  }

  get isThere(): boolean {
    return existsSync(this.#path)
  }

  giveUp(): void {
    rmSync(this.#path, { force: true })
  }

  /** Without effect when it is whole. @throws the error of the system, such as ENOSPC; then nothing of it is left */
  layAside(): void {
    try {
      if (!this.isThere || statSync(this.#path).size < RESERVE_BYTES)
        writeFileSync(this.#path, Buffer.alloc(RESERVE_BYTES), { mode: 0o600 })
    } catch (error) {
      this.giveUp()
      throw error
    }
  }
}
