// Order to paper over the last hours, cut into slices of time: how long half of the tickets took at most, and 19 of 20. Pure.
import { type EpochMs, toIso } from '#shared/clock.ts'
import type { LatencyAnswer } from './answers.ts'

interface Took {
  printedAtMs: EpochMs
  tookMs: number
}

const SLICES = 24
const HOUR_MS = 3_600_000

export function latencyChart(times: readonly Took[], hours: number, nowMs: EpochMs): LatencyAnswer {
  const sliceMs = (hours * HOUR_MS) / SLICES
  // Slices keep their borders over time: a point does not move when the chart is read later.
  const endMs = Math.ceil((nowMs + 1) / sliceMs) * sliceMs
  const startMs = endMs - SLICES * sliceMs
  const slices = Array.from({ length: SLICES }, (): number[] => [])
  for (const { printedAtMs, tookMs } of times) slices[Math.floor((printedAtMs - startMs) / sliceMs)]?.push(tookMs)
  return {
    hours,
    ...summaryOf(slices.flat()),
    slices: slices.map((took, index) => ({ from: toIso(startMs + index * sliceMs), ...summaryOf(took) })),
  }
}

function summaryOf(took: readonly number[]): { tickets: number; p50Ms: number | null; p95Ms: number | null } {
  const sorted = [...took].sort((a, b) => a - b)
  return { tickets: sorted.length, p50Ms: percentile(sorted, 0.5), p95Ms: percentile(sorted, 0.95) }
}

/** The smallest value that this share of them does not exceed; null of none. */
function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null
}
