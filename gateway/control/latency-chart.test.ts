// The chart of order to paper: shares are real measurements, slices keep their borders.
import { describe, expect, it } from 'vitest'
import { latencyChart } from './latency-chart.ts'

const MINUTE = 60_000
const NOON = Date.UTC(2026, 10, 21, 12, 0, 0)
const times = (printedAtMs: number, ...tookMs: number[]) => tookMs.map((one) => ({ printedAtMs, tookMs: one }))

describe('order to paper', () => {
  it('is nothing where nothing was printed', () => {
    const chart = latencyChart([], 6, NOON)
    expect(chart).toMatchObject({ hours: 6, tickets: 0, p50Ms: null, p95Ms: null })
    expect(chart.slices).toHaveLength(24)
    expect(chart.slices.every(({ tickets, p50Ms }) => tickets === 0 && p50Ms === null)).toBe(true)
  })

  it('shows the maximum for half of the tickets, and for 19 of 20', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1)
    expect(latencyChart(times(NOON, ...hundred), 6, NOON)).toMatchObject({ tickets: 100, p50Ms: 50, p95Ms: 95 })
    expect(latencyChart(times(NOON, 700), 6, NOON)).toMatchObject({ tickets: 1, p50Ms: 700, p95Ms: 700 })
  })

  it('puts each ticket into the quarter of an hour in which it was printed, the newest last', () => {
    const { slices } = latencyChart([...times(NOON - 16 * MINUTE, 400), ...times(NOON - 14 * MINUTE, 90)], 6, NOON)
    expect(slices.at(-2)).toEqual({ from: '2026-11-21T11:45:00.000Z', tickets: 1, p50Ms: 90, p95Ms: 90 })
    expect(slices.at(-3)).toMatchObject({ from: '2026-11-21T11:30:00.000Z', p50Ms: 400 })
  })

  it('puts a ticket in the same slice at any time of reading', () => {
    const sliceOf = (nowMs: number) =>
      latencyChart(times(NOON - MINUTE, 5), 6, nowMs).slices.find(({ tickets }) => tickets === 1)?.from
    expect(sliceOf(NOON)).toBe(sliceOf(NOON + 7 * MINUTE))
  })

  it('leaves out what is older than it goes back', () => {
    expect(latencyChart(times(NOON - 6.5 * 60 * MINUTE, 5), 6, NOON).tickets).toBe(0)
  })
})
