// What one gateway has been sent and has not acknowledged: go-back-N with a cumulative acknowledgement. Pure, but for what it holds.
import type { PrintJobId } from '#shared/ids.ts'
import { LINK_LIMITS } from '#shared/wire/gateway-link.ts'

export interface Unacked {
  seq: number
  jobId: PrintJobId | null
  /** Size of the message, for the byte window. */
  bytes: number
  /** The message as it was sent: going back sends the same again. */
  payload: string
}

export class SendWindow {
  /** Everything up to this number is on the gateway's disk. */
  #acked: number
  #bytes = 0
  #unacked: Unacked[] = []

  constructor(acked: number) {
    this.#acked = acked
  }

  get acked(): number {
    return this.#acked
  }

  /** The next number to send is one above. */
  get last(): number {
    return this.#unacked.at(-1)?.seq ?? this.#acked
  }

  get empty(): boolean {
    return this.#unacked.length === 0
  }

  get roomJobs(): number {
    return LINK_LIMITS.windowJobs - this.#unacked.length
  }

  get roomBytes(): number {
    return Math.max(0, LINK_LIMITS.windowBytes - this.#bytes)
  }

  /** In the order in which to send them. */
  get unacked(): readonly Unacked[] {
    return this.#unacked
  }

  /** @throws Error when the number is not the next one: the stream would have a hole. */
  add(message: Unacked): void {
    if (message.seq !== this.last + 1) throw new Error(`sequence ${message.seq} after ${this.last}`)
    this.#unacked.push(message)
    this.#bytes += message.bytes
  }

  /**
   * The gateway has everything up to `last` on its disk.
   * @returns the newly acknowledged jobs, in order; null when `last` was never sent, which no correct gateway sends.
   */
  acknowledge(last: number): Unacked[] | null {
    if (last > this.last) return null
    const count = this.#unacked.findIndex((message) => message.seq > last)
    const done = this.#unacked.splice(0, count === -1 ? this.#unacked.length : count)
    for (const message of done) this.#bytes -= message.bytes
    if (last > this.#acked) this.#acked = last
    return done
  }
}
