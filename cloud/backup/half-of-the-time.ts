// For long work in a thread: pauses that leave half of the time to others.
import { systemClock } from '#shared/clock.ts'

/** @returns to be called after each piece: it sleeps for as long as the piece took, for a millisecond at least */
export function halfOfTheTime(): () => void {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  let startedMs = systemClock.monotonicMs()
  return () => {
    Atomics.wait(pause, 0, 0, Math.max(1, systemClock.monotonicMs() - startedMs))
    startedMs = systemClock.monotonicMs()
  }
}
