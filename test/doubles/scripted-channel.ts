// A byte channel without a wire: says what a test tells it to say, keeps what was written, and is as full as the test wants.
import type { ByteChannel } from '#gateway/printers/byte-channel.ts'
import { Signal } from '#shared/signal.ts'

export class ScriptedChannel implements ByteChannel {
  readonly connectedAtMs = 0
  readonly peer = null
  readonly activity = new Signal()
  readonly end = null
  readonly endCode = ''
  readonly halfClosed = false
  readonly destroyed = false
  readonly acknowledgesLate = true
  unsentBytes = 0
  /** What is written from now on is not taken before `drain`. */
  isFull = false
  readonly #written: Uint8Array[] = []
  #hear: (chunk: Uint8Array) => void = () => {}

  /** All of it, in order. */
  get written(): Buffer {
    return Buffer.concat(this.#written)
  }

  onData(listener: (chunk: Uint8Array) => void): void {
    this.#hear = listener
  }

  write(bytes: Uint8Array): boolean {
    this.#written.push(bytes)
    if (this.isFull) this.unsentBytes += bytes.length
    return !this.isFull
  }

  /** Each character is a byte. */
  say(text: string): void {
    this.#hear(Buffer.from(text, 'latin1'))
    this.activity.notify()
  }

  drain(): void {
    this.unsentBytes = 0
    this.activity.notify()
  }

  halfClose(): void {}

  destroy(): void {}
}
