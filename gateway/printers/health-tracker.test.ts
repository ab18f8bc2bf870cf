// When a printer's fault is reported: at once when the printer reports it, a little later when it only stops answering.
import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { HealthTracker } from './health-tracker.ts'
import type { PrinterHealth } from './transport.ts'

const FINE = { blocked: false, reasons: [], paperKnown: true } as const
const EMPTY = { blocked: true, reasons: ['media-empty'], paperKnown: true } as const

let clock: ManualClock
let tracker: HealthTracker
let heard: PrinterHealth[]
beforeEach(() => {
  clock = new ManualClock()
  tracker = new HealthTracker(clock, 3_000)
  heard = []
  tracker.onChange((health) => heard.push(health))
})

describe('HealthTracker', () => {
  it('begins as unknown and reports the first contact at once', () => {
    expect(tracker.health.state).toBe('unknown')
    tracker.report(FINE)
    expect(heard).toMatchObject([{ state: 'online', reasons: ['none'] }])
  })

  it('waits longer while no ticket waits', async () => {
    tracker.report(FINE)
    tracker.failed('busy', 10_000)
    await clock.advance(5_000)
    expect(heard).toHaveLength(1)
    tracker.failed('busy')
    await clock.advance(2_999)
    expect(heard).toHaveLength(1)
    await clock.advance(1)
    expect(heard.at(-1)).toMatchObject({ state: 'offline', reasons: ['busy'] })
    await clock.advance(10_000)
    expect(heard).toHaveLength(2)
  })

  it('announces a lost connection after three seconds, once', async () => {
    tracker.report(FINE)
    for (let i = 0; i < 5; i++) {
      tracker.failed('connecting-to-device')
      await clock.advance(500)
    }
    expect(heard).toHaveLength(1)
    await clock.advance(500)
    expect(heard.at(-1)).toMatchObject({ state: 'offline', reasons: ['connecting-to-device'] })
    expect(heard).toHaveLength(2)
    tracker.failed('connecting-to-device')
    expect(heard).toHaveLength(2)
  })

  it('does not report a short absence', async () => {
    tracker.report(FINE)
    tracker.failed('timed-out')
    await clock.advance(2_900)
    tracker.report(FINE)
    await clock.advance(10_000)
    expect(heard).toHaveLength(1)
  })

  it('reports at once what the printer itself reports, and its changes', () => {
    tracker.report(EMPTY)
    tracker.report({ blocked: true, reasons: ['cover-open'], paperKnown: true })
    tracker.failed('connecting-to-device')
    expect(heard.map(({ reasons }) => reasons[0])).toEqual(['media-empty', 'cover-open', 'connecting-to-device'])
    expect(new Set(heard.map(({ sinceMs }) => sinceMs)).size).toBe(1)
  })

  it('reports that a printer was reached, even if it never answers', () => {
    tracker.reached()
    expect(tracker.health).toMatchObject({ state: 'unknown', reasons: ['none'] })
  })

  it('keeps the low-paper warning while answers do not contain paper', () => {
    tracker.report({ blocked: false, reasons: ['media-low'], paperKnown: true })
    tracker.report({ blocked: false, reasons: [], paperKnown: false })
    expect(tracker.health.reasons).toEqual(['media-low'])
    tracker.report(FINE)
    expect(tracker.health.reasons).toEqual(['none'])
  })
})
