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

  it('leaves a short log alone, and looks again after the next commit', async () => {
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

  it('goes on after a disk that failed', async () => {
    failure = new Error('disk I/O error')
    write(ENOUGH)
    await clock.advance(QUIET_MS)
    failure = null
    write(0)
    await clock.advance(QUIET_MS)
    expect(copies).toBe(1)
  })

  it('touches nothing after it was stopped', async () => {
    write(ENOUGH)
    quiet.stop()
    await clock.advance(QUIET_MS)
    expect(copies).toBe(0)
  })
})
