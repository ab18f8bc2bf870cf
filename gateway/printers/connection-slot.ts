// The one connection that a transport has to its printer: opened when needed, kept for the next ticket, let go in good order.
import type { Cancel, Clock } from '#shared/clock.ts'
import type { ByteChannel, OpenChannel, OpenFailure } from './byte-channel.ts'
import type { StatusConnection } from './status-connection.ts'
import type { TransportTimeouts } from './timeouts.ts'

export interface ConnectionSlotOptions<C extends StatusConnection> {
  openChannel: OpenChannel
  /** The language of the printer over the open channel. */
  speak: (channel: ByteChannel) => C
  /** The last bytes on a connection whose bytes are all confirmed; may be empty. */
  farewell: (connection: C) => Uint8Array
  clock: Clock
  timeouts: Pick<TransportTimeouts, 'finMs' | 'closeMs'>
}

export class ConnectionSlot<C extends StatusConnection> {
  readonly #options: ConnectionSlotOptions<C>
  #current: C | null = null
  /** A connection that is closing. When it is unconfirmed, the next one waits for its end. */
  #closing: { connection: C; done: Promise<void> } | null = null
  #stopKeeping: Cancel = () => {}

  constructor(options: ConnectionSlotOptions<C>) {
    this.#options = options
  }

  /** The connection in use or kept; it may have ended meanwhile. */
  get current(): C | null {
    return this.#current
  }

  /** Opens a fresh connection; what there was is let go first, because printers serve one client. Never rejects. */
  async open(timeoutMs: number, signal: AbortSignal): Promise<C | OpenFailure> {
    const { openChannel, speak, clock } = this.#options
    this.retire(false)
    await this.#clear()
    const channel = await openChannel({ timeoutMs, clock, signal })
    if ('failed' in channel) return channel
    this.#current = speak(channel)
    return this.#current
  }

  /** Keeps the idle connection for the next ticket, `ms` long (null: for ever). `onNews` is called at whatever happens on it. */
  keep(ms: number | null, onNews: (connection: C) => void): void {
    const connection = this.#current
    this.use()
    if (!connection?.open) return
    const stop = connection.activity.subscribe(() => onNews(connection))
    const cancel = ms === null ? () => {} : this.#options.clock.after(ms, () => this.retire(false))
    this.#stopKeeping = () => {
      cancel()
      stop()
    }
  }

  /** The kept connection is used again: it is not let go meanwhile. */
  use(): void {
    this.#stopKeeping()
    this.#stopKeeping = () => {}
  }

  /** Half-closes and waits for the peer in the background. At the deadline, unconfirmed bytes are dropped, lest they print later. */
  retire(unconfirmed: boolean): void {
    const connection = this.#current
    this.use()
    this.#current = null
    if (!connection) return
    if (unconfirmed) connection.unconfirmed = true
    else if (connection.open && !connection.unconfirmed) connection.write(this.#options.farewell(connection))
    const done = connection.retire(this.#options.timeouts.finMs, connection.unconfirmed)
    this.#closing = { connection, done }
  }

  /** Lets go at once. `reset`: with what the operating system still holds. */
  drop(reset = false): void {
    this.use()
    this.#current?.channel.destroy(reset)
    this.#current = null
  }

  /** Closes in good order, within `closeMs`. */
  async close(): Promise<void> {
    this.retire(false)
    const closing = this.#closing
    if (!closing) return
    const limit = new AbortController()
    await Promise.race([closing.done, this.#options.clock.sleep(this.#options.timeouts.closeMs, limit.signal)])
    limit.abort()
    closing.connection.channel.destroy(closing.connection.unconfirmed)
  }

  /** Our own earlier connection must be gone first. With all confirmed, it needs no patience. */
  async #clear(): Promise<void> {
    const closing = this.#closing
    if (!closing) return
    if (!closing.connection.unconfirmed) closing.connection.channel.destroy()
    await closing.done
  }
}
