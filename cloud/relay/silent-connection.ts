// Closes a connection that sends nothing. After a restart thousands connect at once, and the program may need longer than the limit before it
// reads the first byte of one that has already sent: what has arrived by then is read first.
import type { Duplex } from 'node:stream'
import type { Clock } from '#shared/clock.ts'

/** Closes the connection if no byte of it was read `withinMs` after this call. */
export function endIfSilent(
  stream: Duplex,
  { clock, withinMs, hasSpoken }: { clock: Pick<Clock, 'after'>; withinMs: number; hasSpoken: () => boolean },
): void {
  const cancel = clock.after(withinMs, () => {
    // After the next poll of the sockets, and its consequences.
    setImmediate(() =>
      setImmediate(() => {
        if (!hasSpoken()) stream.destroy()
      }),
    )
  })
  stream.once('close', cancel)
}
