// When a database's log is copied back: in a pause, when there is enough of it, and never in the middle of anything.
import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { type LogFile, QUIET_MS, QuietCheckpoint } from './quiet-checkpoint.ts'

const ENOUGH = 100

describe('QuietCheckpoint', () => {
  let clock: ManualClock
  let pages: number
  let busy: boolean
  let copies: number
  let failure: Error | null
  let told: unknown[]
  let quiet: QuietCheckpoint

  const write = (more: number): void => {
    pages += more
    quiet.written()
  }

  beforeEach(() => {
    clock = new ManualClock()
    pages = 0
    busy = false
    copies = 0
    failure = null
    told = []
    const log: LogFile = {
      enoughPages: ENOUGH,
      isBusy: () => busy,
      waitingPages: () => pages,
      copyBack: () => {
        if (failure) throw failure
        copies++
        pages = 0
      },
    }
    quiet = new QuietCheckpoint(log, clock)
    quiet.failed.subscribe((error) => told.push(error))
  })

  it('copies once nothing was written for a while', async () => {
    write(ENOUGH)
    await clock.advance(QUIET_MS - 1)
    expect(copies).toBe(0)
    await clock.advance(1)
    expect(copies).toBe(1)
  })

  it('waits while each pause is too short', async () => {
    for (let i = 0; i < 50; i++) {
      write(ENOUGH)
      await clock.advance(QUIET_MS - 1)
    }
    expect(copies).toBe(0)
    await clock.advance(QUIET_MS)
    expect(copies).toBe(1)
  })

  it('ignores a short log, and checks again after the next commit', async () => {
    write(ENOUGH - 1)
    await clock.advance(10 * QUIET_MS)
    expect(copies).toBe(0)
    write(1)
    await clock.advance(QUIET_MS)
    expect(copies).toBe(1)
  })

  it('does nothing within a transaction', async () => {
    write(ENOUGH)
    busy = true
    await clock.advance(QUIET_MS)
    expect(copies).toBe(0)
    busy = false
    write(0)
    await clock.advance(QUIET_MS)
    expect(copies).toBe(1)
  })

  const fail = async (error: Error | null): Promise<void> => {
    failure = error
    write(ENOUGH)
    await clock.advance(QUIET_MS)
  }

  it('continues after a disk error, and reports it once until it has copied again', async () => {
    const [first, second, third] = [
      sqliteError('SQLITE_IOERR'),
      sqliteError('SQLITE_FULL'),
      sqliteError('SQLITE_IOERR'),
    ]
    await fail(first)
    await fail(second)
    expect(told).toEqual([first])
    await fail(null)
    expect(copies).toBe(1)
    await fail(third)
    expect(told).toEqual([first, third])
  })

  it.each([
    ['of its own program', new TypeError('log.copyBack is not a function')],
    ['that only looks like one of SQLite', Object.assign(new Error('no'), { code: 'ENOENT' })],
  ])('does not hide a fault %s', async (_, fault) => {
    await expect(fail(fault)).rejects.toBe(fault)
    expect(told).toEqual([])
  })

  it('touches nothing after it was stopped', async () => {
    write(ENOUGH)
    quiet.stop()
    await clock.advance(QUIET_MS)
    write(ENOUGH)
    await clock.advance(QUIET_MS)
    expect(copies).toBe(0)
  })
})

/** As better-sqlite3 makes them. */
function sqliteError(code: string): Error {
  return Object.assign(new Error('disk I/O error'), { name: 'SqliteError', code })
}
