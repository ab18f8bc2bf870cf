// Reads one connection of the embedded broker no faster than its gateway's budget: what exceeds it stays in the socket, so its sender waits.
// Nothing that arrived is dropped. It wraps `read`, the only place where aedes takes bytes (aedes 1.2.0, lib/client.js).
import type { Duplex } from 'node:stream'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Verdict } from './gateway-budget.ts'

export interface PacedReaderOptions {
  clock: Pick<Clock, 'after'>
  /** Asked before each read. */
  mayRead(): Verdict
}

/** aedes asks with `null`; anything else is the stream's own. It is asked again by `readable`, as if something had arrived. */
export function paceReads(conn: Duplex, { clock, mayRead }: PacedReaderOptions): void {
  const read = conn.read.bind(conn)
  let cancelWait: Cancel | null = null
  conn.once('close', () => cancelWait?.())
  conn.read = (size?: number | null) => {
    if (size !== null) return read(size)
    if (cancelWait !== null || conn.destroyed) return null
    const verdict = mayRead()
    if (verdict === 'closed') {
      conn.destroy()
      return null
    }
    if (verdict.waitMs === 0) return read()
    cancelWait = clock.after(verdict.waitMs, () => {
      cancelWait = null
      conn.emit('readable')
    })
    return null
  }
}
