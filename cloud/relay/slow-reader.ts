// Keeps a gateway that does not read from holding up everybody else. aedes 1.2.0 finishes a PUBLISH only when every subscriber's socket
// has drained, and reads no more from the publisher before that: here the publisher is the relay itself, so one frozen or slow gateway
// stopped the orders of all others until drainTimeout, also with concurrency 0 (broker.room.test.ts proves it).
import type { Duplex } from 'node:stream'
import type { Cancel, Clock } from '#shared/clock.ts'

/** What a gateway may have waiting in its socket: four windows. Beyond that it is dropped at once; its next hello brings it up to date. */
const MAX_BUFFERED_BYTES = 1_048_576

/** The method of aedes' Client that is replaced. */
interface SlowClient {
  conn: Duplex
  waitForDrain(done: (error: Error | null, client: object) => void): void
}

/**
 * Lets a delivery count as done when its bytes are in the socket's buffer, and drops the connection when that buffer does not drain
 * within `drainTimeoutMs` or grows too large.
 * @throws Error when this aedes has no such method: better no broker than one that stalls
 */
export function releaseSlowReader(client: object, options: { drainTimeoutMs: number; clock: Clock }): void {
  const slow = client as SlowClient
  if (typeof slow.waitForDrain !== 'function')
    throw new Error('this aedes waits for slow subscribers in another way: slow-reader.ts must be written anew')
  let cancelTimer: Cancel | null = null
  slow.waitForDrain = (done) => {
    setImmediate(done, null, client)
    const { conn } = slow
    if (conn.writableLength > MAX_BUFFERED_BYTES) conn.destroy(new Error('reads too slowly'))
    if (cancelTimer || conn.destroyed) return
    const drained = (): void => {
      cancelTimer?.()
      cancelTimer = null
    }
    conn.once('drain', drained)
    conn.once('close', drained)
    cancelTimer = options.clock.after(options.drainTimeoutMs, () => conn.destroy(new Error('does not read')))
  }
}
