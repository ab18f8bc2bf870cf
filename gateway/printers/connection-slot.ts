// The single connection of a transport to its printer: opened when needed, kept for the next ticket, closed properly.
import type { Cancel, Clock } from '#shared/clock.ts'
import type { ByteChannel, OpenChannel, OpenFailure } from './byte-channel.ts'
import type { StatusConnection } from './status-connection.ts'
import type { TransportTimeouts } from './timeouts.ts'

export interface ConnectionSlotOptions<C extends StatusConnection> {
  openChannel: OpenChannel
  /** Creates the language connection over the open channel. */
  speak: (channel: ByteChannel) => C
  /** The last bytes on a connection whose bytes are all confirmed. May be empty. */
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

  /** The connection in use or kept. It may have ended meanwhile. */
  get current(): C | null {
    return this.#current
  }

  /** Opens a new connection. An existing one is closed first, because printers serve one client. Never rejects. */
  async open(timeoutMs: number, signal: AbortSignal): Promise<C | OpenFailure> {
    const { openChannel, speak, clock } = this.#options
    this.retire(false)
    await this.#clear()
    const channel = await openChannel({ timeoutMs, clock, signal })
    if ('failed' in channel) return channel
    this.#current = speak(channel)
    return this.#current
  }

  /** Keeps the idle connection for the next ticket for `ms` (null: forever). `onNews` is called for anything that happens on it. */
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

  /** The kept connection is in use again and must not be closed meanwhile. */
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

  /** Closes at once. `reset`: drops what the operating system still holds. */
  drop(reset = false): void {
    this.use()
    this.#current?.channel.destroy(reset)
    this.#current = null
  }

  /** Closes properly, within `closeMs`. */
  async close(): Promise<void> {
    this.retire(false)
    const closing = this.#closing
    if (!closing) return
    const limit = new AbortController()
    await Promise.race([closing.done, this.#options.clock.sleep(this.#options.timeouts.closeMs, limit.signal)])
    limit.abort()
    closing.connection.channel.destroy(closing.connection.unconfirmed)
  }

  /** Our own earlier connection must be gone first. If all its bytes are confirmed, it is not waited for. */
  async #clear(): Promise<void> {
    const closing = this.#closing
    if (!closing) return
    if (!closing.connection.unconfirmed) closing.connection.channel.destroy()
    await closing.done
  }
}
