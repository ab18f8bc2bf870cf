// A law of units: `work` changes nothing but the database, because it may be run again (RelayDatabase.unit). With TEST_UNITS=twice each unit
// of the suites is rehearsed: it is run and rolled back, and then run in earnest. What it left anywhere else shows in the test; a signal that
// it fires is told at once.
import { AsyncLocalStorage } from 'node:async_hooks'
import { test } from 'vitest'
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import { Signal } from '#shared/signal.ts'

const isTwice = process.env['TEST_UNITS'] === 'twice'

/** Whoever hears of a job then waits for its unit's end: DispatchStore.inserted. What a database tells of its disk is not the unit's. */
const MEANT = /\bDispatchStore\.insert\b|\bStorageGate\./

class RolledBack extends Error {
  override readonly name = 'RolledBack'
}

class LawBroken extends Error {
  override readonly name = 'LawBroken'
}

interface Rehearsal {
  /** Where a signal was fired. */
  broken: LawBroken | null
  isOver: boolean
}

const rehearsal = new AsyncLocalStorage<Rehearsal>()

let isWatching = false

function watchSignals(): void {
  if (isWatching) return
  isWatching = true
  const { notify } = Signal.prototype
  Signal.prototype.notify = function (this: Signal<unknown>, value?: unknown) {
    const now = rehearsal.getStore()
    const broken = new LawBroken('a unit fires a signal, though it may be run again')
    if (now !== undefined && !now.isOver && !MEANT.test(broken.stack ?? '')) now.broken ??= broken
    // Whoever hears of it is outside.
    else rehearsal.exit(() => notify.call(this, value))
  }
}

/** Units of this database are rehearsed, when the run is for that. @returns the same */
export const unitsTwice = <D extends RelayDatabase>(db: D): D => (isTwice ? rehearsed(db) : db)

export function rehearsed<D extends RelayDatabase>(db: D): D {
  watchSignals()
  const unit = db.unit.bind(db)
  const rehearse = async (work: (tx: Tx) => Promise<unknown>): Promise<void> => {
    const now: Rehearsal = { broken: null, isOver: false }
    const rolledBack = new RolledBack()
    try {
      await unit(async (tx) => {
        await rehearsal.run(now, () => work(tx))
        throw rolledBack
      })
    } catch {
      // It fails in earnest as well, or the database does.
    }
    now.isOver = true
    if (now.broken !== null) throw now.broken
  }
  db.unit = async (work, options) => {
    await rehearse(work)
    return unit(work, options)
  }
  return db
}

const told = new Set<string>()

/** For a test that counts how often a unit is run, or plants a fault that strikes once. It is left out where units run twice; why is printed once. */
export function ofOneRun(why: string): typeof test {
  if (!isTwice) return test
  if (!told.has(why)) console.info(`left out where units run twice: ${why}`)
  told.add(why)
  return test.skip as unknown as typeof test
}

export const COUNTS = 'what counts how often the work of a unit is done'
export const ONE_FAULT = 'a fault that strikes once, and so in the rehearsal'
