// The bars of the chart: as high as what they stand for, under a round top.
import { describe, expect, it } from 'vitest'
import { latencyBars } from './latency-bars.ts'

const slice = (p50Ms: number | null, p95Ms: number | null) => ({
  from: '2026-11-21T12:00:00.000Z',
  tickets: p50Ms === null ? 0 : 3,
  p50Ms,
  p95Ms,
})

describe('the chart from order to paper', () => {
  it('has the next round top above the slowest', () => {
    expect(latencyBars({ slices: [slice(180, 420), slice(200, 1_200)] }).topMs).toBe(2_000)
    expect(latencyBars({ slices: [slice(null, null)] }).topMs).toBe(500)
    expect(latencyBars({ slices: [slice(5, 90_000_000)] }).topMs).toBe(90_000_000)
  })

  it('draws each as high as its time, leaves out missing ones, and keeps a short one visible', () => {
    const { bars } = latencyBars({ slices: [slice(250, 500), slice(null, null), slice(1, 2)] })
    expect(bars[0]).toMatchObject({ p50Height: 50, p95Height: 100, tickets: 3 })
    expect(bars[1]).toBeNull()
    expect(bars[2]).toMatchObject({ p50Height: 2, p95Height: 2 })
  })
})
