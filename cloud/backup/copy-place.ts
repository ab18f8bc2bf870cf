// The place where a copy is being made: one program at a time writes there, and what a dead one has left is cleared away.
import { randomInt } from 'node:crypto'
import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { holdFile } from '#cloud/storage/sqlite/relay-lock.ts'
import { systemClock } from '#shared/clock.ts'
import { codeOf } from '#shared/code-of.ts'
import { sumPartOf } from './copy-sum.ts'
import { FileRefusal } from './file-refusal.ts'
import { isNoRoom, noRoomFor } from './no-room.ts'

const REACHES = 5

/** The files that SQLite opens beside a database. */
export const LOGS = ['-wal', '-shm', '-journal'] as const

/** The name that a copy has until it has its own. */
export const partOf = (copy: string): string => `${copy}.part`

const lockOf = (copy: string): string => `${partOf(copy)}.lock`

/** The files beside a copy that exist only while it is made. */
export const passingFiles = (copy: string): string[] => [...partsOf(copy), lockOf(copy)]

const partsOf = (copy: string): string[] => [...['', ...LOGS].map((end) => `${partOf(copy)}${end}`), sumPartOf(copy)]

/** Leftovers of a run that failed, or was killed. Only for the holder of the place. */
export function clearParts(copy: string): void {
  for (const file of partsOf(copy)) rmSync(file, { force: true })
}

/**
 * Holds the place of `copy` for this program; the system gives it back when the program ends, however it ends.
 * @returns gives it back, and takes the lock's file away; null: another program makes a copy there
 * @throws FileRefusal
 */
export function holdPlace(copy: string): (() => void) | null {
  const lock = lockOf(copy)
  try {
    for (;;) {
      makeIfMissing(lock)
      const seen = identityOf(lock)
      const letGo = holdFile(lock)
      if (letGo === null) return null
      // Its previous holder has removed its file meanwhile, or not: a lock on a deleted file keeps nobody out.
      if (seen !== null && seen === identityOf(lock))
        return () => {
          rmSync(lock, { force: true })
          letGo()
        }
      letGo()
    }
  } catch (error) {
    if (isNoRoom(error)) throw noRoomFor(copy, null)
    throw new FileRefusal(`${copy} cannot be written: ${whyNotHeld(copy, error)}.`, { cause: error })
  }
}

/**
 * As `holdPlace`, tried a few times: another one that clears up what dead runs have left may hold it for a moment.
 * @throws FileRefusal
 */
export async function reachPlace(copy: string): Promise<(() => void) | null> {
  for (let tries = 1; ; tries++) {
    const letGo = holdPlace(copy)
    if (letGo !== null || tries === REACHES) return letGo
    await systemClock.sleep(randomInt(5, 30))
  }
}

/** In words for the operator, without a full stop. @param error what `holdPlace` threw, or its cause */
export function whyNotHeld(copy: string, error: unknown): string {
  const lock = lockOf(copy)
  const said = firstCauseOf(error)
  if (!existsSync(lock)) return said
  return `${basename(lock)} beside it cannot be locked (${said}); if no backup is running, delete that file`
}

/** The error of the system or SQLite: their words for a database do not fit a lock. */
function firstCauseOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return error.cause instanceof Error ? firstCauseOf(error.cause) : error.message
}

/** As `holdPlace`, to tidy up there; null also where it cannot be held at all, as with a lock that another user has left. */
export function holdToTidy(copy: string): (() => void) | null {
  try {
    return holdPlace(copy)
  } catch (error) {
    if (error instanceof FileRefusal) return null
    throw error
  }
}

/** Never opens one that is there: closing it would take away the lock that SQLite holds in this process. */
function makeIfMissing(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/** Number and birth: a number is given out again. Null: there is none. */
function identityOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev} ${found.ino} ${found.birthtimeNs}`
}
