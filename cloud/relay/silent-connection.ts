// Ends a connection that says nothing. After a restart thousands come at once, and the program may need longer than the limit until it reads
// the first byte of one that has long spoken: what has arrived by then is read first.
import type { Duplex } from 'node:stream'
import type { Clock } from '#shared/clock.ts'

/** Whoever has not spoken `withinMs` after this call is cut off. */
export function endIfSilent(
  stream: Duplex,
  { clock, withinMs, hasSpoken }: { clock: Pick<Clock, 'after'>; withinMs: number; hasSpoken: () => boolean },
): void {
  const cancel = clock.after(withinMs, () => {
    // Behind the next look at the sockets, and behind what follows from it.
    setImmediate(() =>
      setImmediate(() => {
        if (!hasSpoken()) stream.destroy()
      }),
    )
  })
  stream.once('close', cancel)
}
