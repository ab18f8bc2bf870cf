// Periodic work: never two passes at once, no wake-up lost, nothing left behind by a stop.
import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { Rounds } from './rounds.ts'

let clock: ManualClock
let rounds: Rounds
/** Ends the pass that runs; with an error it fails. */
let ends: ((error?: Error) => void)[]
let failures: unknown[]

beforeEach(async () => {
  clock = new ManualClock()
  ends = []
  failures = []
  rounds = new Rounds({
    clock,
    everyMs: 500,
    pass: () => new Promise<void>((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve()))),
    failed: (error) => failures.push(error),
  })
  await rounds.start()
})

const settled = () => clock.advance(0)

describe('rounds', () => {
  it('run at an interval, and at once on a wake-up', async () => {
    await clock.advance(499)
    expect(ends).toHaveLength(0)
    await clock.advance(1)
    expect(ends).toHaveLength(1)
    ends[0]?.()
    await settled()
    rounds.wake()
    expect(ends).toHaveLength(2)
  })

  it('make one pass at a time: whatever wakes them meanwhile gets one more', async () => {
    rounds.wake()
    rounds.wake()
    await clock.advance(5_000)
    expect(ends).toHaveLength(1)
    ends[0]?.()
    await settled()
    expect(ends).toHaveLength(2)
    ends[1]?.()
    await settled()
    expect(ends).toHaveLength(2)
  })

  it('notice a wake-up at the end of a pass', async () => {
    rounds.wake()
    ends[0]?.()
    rounds.wake()
    await settled()
    expect(ends).toHaveLength(2)
  })

  it('continue after a failed pass', async () => {
    rounds.wake()
    ends[0]?.(new Error('disk full'))
    await settled()
    expect(failures).toEqual([new Error('disk full')])
    await clock.advance(500)
    expect(ends).toHaveLength(2)
  })

  it('stop when the running pass has ended, and begin no other', async () => {
    rounds.wake()
    rounds.wake()
    let stopped = false
    const stop = rounds.stop().then(() => {
      stopped = true
    })
    expect(rounds.stopping).toBe(true)
    await settled()
    expect(stopped).toBe(false)
    ends[0]?.()
    await stop
    rounds.wake()
    await clock.advance(5_000)
    expect(ends).toHaveLength(1)
  })

  it('can be started again', async () => {
    await rounds.stop()
    await rounds.start()
    expect(rounds.stopping).toBe(false)
    await clock.advance(500)
    expect(ends).toHaveLength(1)
  })
})
