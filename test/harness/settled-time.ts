// Time that goes by for work which commits by itself between two timers, such as the simulated kitchen's.
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { ManualClock } from '#test/doubles/manual-clock.ts'
import { isOnPostgres } from './engines.ts'

interface Site {
  db: RelayDatabase
  clock: ManualClock
}

/** Moves the clock, with what was begun committed before and after. */
export async function passSettled(site: Site, ms: number): Promise<void> {
  await settled(site)
  await site.clock.pass(ms)
  await settled(site)
}

/** What is under way has made its commits. */
export async function settled({ db, clock }: Site): Promise<void> {
  // On PostgreSQL the clock itself waits for all that is under way.
  for (let i = 0; i < (isOnPostgres ? 1 : 20); i++) {
    await db.unit(async () => {})
    await clock.advance(0)
  }
}
