// One program per export: a lock in its folder, held until the program ends, however it ends.
import { access, constants, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { missingTarget } from '#cloud/storage/sqlite/database-path.ts'
import { folderWords } from '#cloud/storage/sqlite/folder-words.ts'
import { holdFile } from '#cloud/storage/sqlite/relay-lock.ts'

const LOCK_NAME = 'relay.lock'

/** Another relay writes into the folder. */
export class ExportHeld extends Error {
  override readonly name = 'ExportHeld'
}

/** The folder cannot be created or used: with the reason and what to do. */
class ExportUnusable extends Error {
  override readonly name = 'ExportUnusable'
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
   * @throws ExportHeld, or ExportUnusable when the folder cannot be made or written to
   */
  async take(): Promise<void> {
    await this.#make()
    const file = join(this.#folder, LOCK_NAME)
    if (this.#letGo !== null && (await inodeOf(file)) === this.#inode) return
    this.letGo()
    this.#letGo = this.#lock(file)
    if (this.#letGo === null)
      throw new ExportHeld(
        `another relay exports into ${this.#folder}: end that one, or set CLOUD_EXPORT_DIR to another folder`,
      )
    this.#inode = await inodeOf(file)
  }

  async #make(): Promise<void> {
    const missing = missingTarget(this.#folder)
    if (missing !== null) throw this.#unusable(`: ${missing}`)
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      // The system's error about the folder, which is clearer than SQLite's.
      await access(this.#folder, constants.W_OK)
    } catch (error) {
      throw this.#unusable(` ${folderWords(error, 'set CLOUD_EXPORT_DIR to another folder')}`, error)
    }
  }

  /** Null: another program has it. */
  #lock(file: string): (() => void) | null {
    try {
      return holdFile(file)
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      const why = cause instanceof Error ? cause.message : 'unknown'
      throw this.#unusable(
        `: ${LOCK_NAME} in it cannot be locked (${why}). Let this user read and write that file, or delete it if no relay exports there.`,
        error,
      )
    }
  }

  #unusable(words: string, cause?: unknown): ExportUnusable {
    return new ExportUnusable(`CLOUD_EXPORT_DIR ${this.#folder} cannot be used${words}`, { cause })
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
