// The picture on receipts: one PNG file beside the database.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

export class LogoFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** The PNG; null when there is none. */
  read(): Uint8Array | null {
    try {
      return readFileSync(this.#path)
    } catch {
      return null
    }
  }

  /** Replaces it: after a power cut there is the old one or the new one. */
  save(png: Uint8Array): void {
    const fresh = `${this.#path}.new`
    const file = openSync(fresh, 'w', 0o600)
    try {
      writeSync(file, png)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(fresh, this.#path)
    this.#syncFolder()
  }

  remove(): void {
    rmSync(this.#path, { force: true })
    this.#syncFolder()
  }

  /** The new name is on disk only then. */
  #syncFolder(): void {
    const folder = openSync(dirname(this.#path), 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  }
}
