// A database whose units are timed: their wait for a turn, their work and the disk. Without metrics the relay uses its database as it is.
import type { RelayDatabase, Tx, UnitOptions } from '#cloud/storage/database.ts'

/** @param ms how long it took until it was on disk, or had failed */
export type UnitObserver = (name: string, ms: number) => void

export function observedDatabase(db: RelayDatabase, ended: UnitObserver): RelayDatabase {
  const unit = async <T>(work: (tx: Tx) => Promise<T>, options?: UnitOptions): Promise<T> => {
    const beganMs = performance.now()
    try {
      return await db.unit(work, options)
    } finally {
      ended(options?.name ?? 'other', performance.now() - beganMs)
    }
  }
  return {
    unit,
    words: db.words,
    gate: db.gate,
    replicaId: db.replicaId,
    hindered: db.hindered,
    get waiting() {
      return db.waiting
    },
    read: db.read,
    close: () => db.close(),
  }
}
