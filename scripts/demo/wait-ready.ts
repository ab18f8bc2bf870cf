// Waits until a program answers /readyz with 200.
import type { Clock } from '#shared/clock.ts'
import { DemoError } from './demo-error.ts'

const EVERY_MS = 50
const LIMIT_MS = 60_000

/** @throws DemoError after a minute; rejects with the signal's reason when it aborts. */
export async function waitReady(
  url: string,
  { name, clock, signal }: { name: string; clock: Clock; signal: AbortSignal },
): Promise<void> {
  const deadline = clock.monotonicMs() + LIMIT_MS
  while (clock.monotonicMs() < deadline) {
    signal.throwIfAborted()
    if (await answersReady(`${url}/readyz`)) return
    await clock.sleep(EVERY_MS, signal)
  }
  throw new DemoError(`The ${name} did not become ready within ${LIMIT_MS / 1_000} s.`)
}

async function answersReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    // Not listening yet: asked again.
    return false
  }
}
