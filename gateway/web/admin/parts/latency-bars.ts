// The bars of the chart from order to paper, in percent of its height. Pure.
import type { LatencyAnswer } from '#gateway/control/answers.ts'

export interface LatencyBar {
  from: string
  tickets: number
  p50Ms: number
  p95Ms: number
  /** Of the chart's height, 0 to 100. */
  p50Height: number
  p95Height: number
}

export interface LatencyBars {
  /** The value at the top of the chart, in ms. */
  topMs: number
  /** One a slice; null where nothing was printed. */
  bars: (LatencyBar | null)[]
}

/** Round tops, so that the scale is easy to read and does not change with every ticket. */
const TOPS_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 1_800_000, 7_200_000, 86_400_000]
/** A bar that is there is seen. */
const LEAST = 2

export function latencyBars({ slices }: Pick<LatencyAnswer, 'slices'>): LatencyBars {
  const slowest = Math.max(0, ...slices.map(({ p95Ms }) => p95Ms ?? 0))
  const topMs = TOPS_MS.find((top) => top >= slowest) ?? slowest
  const heightOf = (ms: number) => Math.max(LEAST, Math.round((ms / topMs) * 1_000) / 10)
  return {
    topMs,
    bars: slices.map(({ from, tickets, p50Ms, p95Ms }) =>
      p50Ms === null || p95Ms === null
        ? null
        : { from, tickets, p50Ms, p95Ms, p50Height: heightOf(p50Ms), p95Height: heightOf(p95Ms) },
    ),
  }
}
