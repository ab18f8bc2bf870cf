// What the drill expects: at once, or within a minute.
import { systemClock } from '#shared/clock.ts'

const WITHIN_MS = 60_000
const LOOK_MS = 20

/** @throws when it does not become true */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const endMs = systemClock.monotonicMs() + WITHIN_MS
  while (!(await isSo())) {
    if (systemClock.monotonicMs() > endMs) throw new Error(`not within ${WITHIN_MS / 1_000} s: ${what}`)
    await systemClock.sleep(LOOK_MS)
  }
}

/** @throws when it is not so */
export function must(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`not so: ${what}`)
}
