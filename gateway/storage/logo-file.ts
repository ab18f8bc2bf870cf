// The logo on receipts: one PNG file beside the database.
import { readFileSync } from 'node:fs'
import { removeFile, replaceFile } from './durable-file.ts'

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

  /** Replaces it atomically: after a power failure there is the old one or the new one. */
  save(png: Uint8Array): void {
    replaceFile(this.#path, png)
  }

  remove(): void {
    removeFile(this.#path)
  }
}
