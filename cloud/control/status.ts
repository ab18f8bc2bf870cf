// The service level for all live restaurants together, day by day, for the public status page. It contains no figure of one account.
import { type Counts, percentileOf, shareWithin, sumOf, totalOf } from '#cloud/metrics/latency-buckets.ts'
import { EVERY_PLACE, type LatencyStore } from '#cloud/storage/latency-store.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import { TARGETS } from './slice-handlers.ts'

const DAY_MS = 86_400_000
const DAYS = 30
/** Below it the figure of a day is too uncertain, and could reveal one restaurant. */
const LEAST = 20

export interface StatusFigure {
  count: number
  /** Null: too few. */
  p50Ms: number | null
  p95Ms: number | null
  /** Share within the target. */
  reached: number | null
  isMet: boolean | null
}

export interface StatusOfStage extends StatusFigure {
  stage: 'paper' | 'webhook'
  target: { ms: number; share: number }
  /** Oldest first, the last one is today in UTC. */
  days: (StatusFigure & { day: string })[]
}

/** The last 30 days. */
export async function relayStatus({
  latency,
  clock,
}: {
  latency: LatencyStore
  clock: Pick<Clock, 'now'>
}): Promise<StatusOfStage[]> {
  const today = Math.floor(clock.now() / DAY_MS)
  const first = today - DAYS + 1
  const slices = await latency.since([EVERY_PLACE], 60, first * DAY_MS)
  return (['paper', 'webhook'] as const).map((stage) => {
    const target = TARGETS[stage]
    const own = slices.filter((slice) => slice.stage === stage)
    const byDay = Map.groupBy(own, ({ slot }) => Math.floor(slot / DAY_MS))
    const days = Array.from({ length: DAYS }, (_, index) => ({
      day: toIso((first + index) * DAY_MS).slice(0, 10),
      ...figureOf(sumOf((byDay.get(first + index) ?? []).map(({ counts }) => counts)), target),
    }))
    return { stage, target, days, ...figureOf(sumOf(own.map(({ counts }) => counts)), target) }
  })
}

function figureOf(counts: Counts, { ms, share }: { ms: 200 | 2_000; share: number }): StatusFigure {
  const count = totalOf(counts)
  const reached = count < LEAST ? null : shareWithin(counts, ms)
  if (reached === null) return { count, p50Ms: null, p95Ms: null, reached, isMet: null }
  return {
    count,
    p50Ms: percentileOf(counts, 0.5),
    p95Ms: percentileOf(counts, 0.95),
    reached,
    isMet: reached >= share,
  }
}
