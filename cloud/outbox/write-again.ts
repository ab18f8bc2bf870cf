// For what has happened outside and must be written down: while the writer is overloaded it refuses units, and this asks again.
import type { Clock } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'

const TRIES = 10
const AGAIN_MS = 200

/** Runs `write`, up to ten times while the writer refuses it (ServiceError service.unavailable). @throws what it throws at last */
export async function writeAgain<T>(clock: Clock, write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'service.unavailable' || tries >= TRIES) throw error
      await clock.sleep(AGAIN_MS)
    }
  }
}
