// Defers work that blocks the whole program until no caller waits for it.
import type { Clock } from './clock.ts'

const LOOK_EVERY_MS = 1_000
/** Share of a second in which the program did anything. An idle gateway or relay stays below; one order a second does not. */
const CALM = 0.03

/**
 * Calls `work` once, after the first second in which the program was almost idle. `busyShare` returns the busy share since its last call, 0
 * to 1.
 */
export function atACalmMoment(clock: Clock, work: () => void, busyShare: () => number = busyOfThisProgram()): void {
  busyShare()
  const look = (): void => {
    if (busyShare() > CALM) clock.after(LOOK_EVERY_MS, look)
    else work()
  }
  clock.after(LOOK_EVERY_MS, look)
}

function busyOfThisProgram(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}
