// One program per export: a lock in its folder, held until the program ends, however it ends.
import { access, constants, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { holdFile } from '#cloud/storage/relay-lock.ts'

const LOCK_NAME = 'relay.lock'

/** Another relay writes into the folder. */
export class ExportHeld extends Error {
  override readonly name = 'ExportHeld'
}

export class ExportHold {
  readonly #folder: string
  #letGo: (() => void) | null = null
  /** The very file that is locked. */
  #inode = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Makes the folder and holds it. Again and again: it may have been moved away, and then the one that is there now is another.
   * @throws ExportHeld, Error of the file system when the folder cannot be made or written to
   */
  async take(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const file = join(this.#folder, LOCK_NAME)
    if (this.#letGo !== null && (await inodeOf(file)) === this.#inode) return
    this.letGo()
    // What the system says of the folder, before SQLite says it less clearly.
    await access(this.#folder, constants.W_OK)
    this.#letGo = holdFile(file)
    if (this.#letGo === null)
      throw new ExportHeld(
        `another relay exports into ${this.#folder}: end that one, or set CLOUD_EXPORT_DIR to another folder`,
      )
    this.#inode = await inodeOf(file)
  }

  letGo(): void {
    this.#letGo?.()
    this.#letGo = null
  }
}

/** 0: there is none. */
async function inodeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.ino ?? 0
}
