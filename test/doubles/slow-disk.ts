// A relay's disk that is slow: each unit of work takes so long, one after the other, on the test's clock.
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { Clock } from '#shared/clock.ts'

/** @returns how many units were begun since */
export function slowDown(db: RelayDatabase, { clock, eachMs }: { clock: Clock; eachMs: number }): () => number {
  const unit = db.unit.bind(db)
  let units = 0
  let before: Promise<unknown> = Promise.resolve()
  db.unit = (work, options) => {
    units++
    const turn = before.then(() => clock.sleep(eachMs))
    before = turn
    return turn.then(() => unit(work, options))
  }
  return () => units
}
