// A child program's log: appended to, and moved aside to NAME.log.1 at 10 MB, so that a demo left running never fills the disk.
import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'

const MAX_BYTES = 10 * 1024 * 1024

export class LogFile {
  readonly path: string
  #fd: number
  #bytes: number
  readonly #maxBytes: number

  constructor(path: string, maxBytes = MAX_BYTES) {
    this.path = path
    this.#maxBytes = maxBytes
    this.#fd = openSync(path, 'a', 0o600)
    this.#bytes = fstatSync(this.#fd).size
  }

  write(chunk: Uint8Array): void {
    if (this.#bytes > 0 && this.#bytes + chunk.length > this.#maxBytes) this.#rotate()
    writeSync(this.#fd, chunk)
    this.#bytes += chunk.length
  }

  close(): void {
    closeSync(this.#fd)
  }

  #rotate(): void {
    closeSync(this.#fd)
    renameSync(this.path, `${this.path}.1`)
    this.#fd = openSync(this.path, 'a', 0o600)
    this.#bytes = 0
  }
}
