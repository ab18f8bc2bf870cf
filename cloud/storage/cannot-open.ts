// Why the relay's database cannot be opened, in one line for the operator: what is wrong, and what to do.
import type { SqliteFault } from '#shared/sqlite-fault.ts'

export class CannotOpen extends Error {
  override readonly name = 'CannotOpen'
  /** It may be over at the next start: no action is needed. */
  readonly passes: boolean

  constructor(message: string, options: { passes?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.passes = options.passes ?? false
  }
}

const RESTORE = 'put the newest copy in its place by `admin restore FILE` (docs/relay-backup.md)'

/** @param what names what is damaged, in SQLite's words */
export function damagedFile(file: string, what: string, cause?: unknown): CannotOpen {
  return new CannotOpen(`the database ${file} is damaged (${what}): ${RESTORE}`, { cause })
}

/** A newer release has worked on it. */
export function newerFile(file: string, version: number, newest: number): CannotOpen {
  return new CannotOpen(
    `the database ${file} is of version ${version}, this program knows ${newest}: install the newer one`,
  )
}

/** Words for an error of SQLite at opening. */
export function cannotOpenBy(file: string, fault: SqliteFault, cause: Error): CannotOpen {
  switch (fault) {
    case 'full':
      return new CannotOpen(`there is no room on the disk to open the database ${file}: make room`, {
        passes: true,
        cause,
      })
    case 'locked':
      return new CannotOpen(`the database ${file} is held by another program: end that one, or wait for it`, {
        passes: true,
        cause,
      })
    case 'damaged':
      return damagedFile(file, cause.message, cause)
    case 'failing':
      return new CannotOpen(
        `the database ${file} cannot be opened (${cause.message}): the relay's user must be able to write it and its folder, and the disk must be well`,
        { cause },
      )
  }
}
