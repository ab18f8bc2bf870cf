// Which databases have something under way: a clock that the tests move goes on only when all that it set off has come to its end.

import type { Signal } from '#shared/signal.ts'

export interface AtWork {
  /** Units and reads that have not ended. */
  readonly underWay: number
  /** Fired when the last of them has ended. */
  readonly rested: Signal
}

const databases = new Set<AtWork>()

/** @returns what ends it */
export function watchWork(database: AtWork): () => void {
  databases.add(database)
  return () => databases.delete(database)
}

/** Resolves when nothing is under way and nothing new was begun in a turn of the event loop. SQLite has answered by then anyhow. */
export async function workEnded(): Promise<void> {
  if (databases.size === 0) return turn()
  for (let idleTurns = 0; idleTurns < 3; ) {
    const atWork = [...databases].find(({ underWay }) => underWay > 0)
    idleTurns = atWork === undefined ? idleTurns + 1 : 0
    await (atWork?.rested.next() ?? turn())
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
