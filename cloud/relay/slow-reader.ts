// Drops a gateway that does not read, so that what waits for it does not grow in the relay's memory.
import type { Duplex } from 'node:stream'
import type { Cancel, Clock } from '#shared/clock.ts'

/** What a gateway may have waiting in its socket: four windows. Beyond that it is dropped at once; its next hello brings it up to date. */
const MAX_BUFFERED_BYTES = 1_048_576

/** True when more than 1 MB waits in the connection's buffer. */
export function readsTooSlowly(conn: Duplex): boolean {
  return conn.writableLength > MAX_BUFFERED_BYTES
}

/**
 * Writes to one connection without waiting for it. The connection is destroyed when its buffer grows above 1 MB, or does not drain
 * within `drainTimeoutMs`.
 */
export function slowReaderWriter(
  conn: Duplex,
  { clock, drainTimeoutMs }: { drainTimeoutMs: number; clock: Clock },
): (bytes: Buffer) => void {
  let cancelTimer: Cancel | null = null
  const drained = (): void => {
    cancelTimer?.()
    cancelTimer = null
  }
  conn.once('close', drained)
  return (bytes) => {
    if (conn.destroyed || conn.write(bytes)) return
    if (readsTooSlowly(conn)) conn.destroy(new Error('reads too slowly'))
    if (cancelTimer || conn.destroyed) return
    conn.once('drain', drained)
    cancelTimer = clock.after(drainTimeoutMs, () => conn.destroy(new Error('does not read')))
  }
}
