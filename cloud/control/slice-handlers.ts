// How fast orders reached paper and webhooks left, from the latency slices of an account's own places.
import { type Counts, percentileOf, shareWithin, sumOf, totalOf } from '#cloud/metrics/latency-buckets.ts'
import { STAGES, type Stage } from '#cloud/metrics/order-stages.ts'
import type { PlaceOfSlices, Slice } from '#cloud/storage/latency-store.ts'
import { toIso } from '#shared/clock.ts'
import { accountOf } from './act.ts'
import type { Handlers } from './handler.ts'
import type { Figure, PlaceFigure, SLICE_OPERATIONS, StageFigure } from './slice-list.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const MOST_PLACES = 20
const LEAST = 20

/** Of docs/metrics.md. */
export const TARGETS = {
  paper: { ms: 2_000, share: 0.99 },
  webhook: { ms: 200, share: 0.99 },
} as const satisfies Partial<Record<Stage, { ms: number; share: number }>>

/** By days that are asked for: which slices are read, and how much time a point of the line is. */
const POINTS = {
  1: { minutes: 5, pointMs: 15 * MINUTE_MS },
  7: { minutes: 60, pointMs: HOUR_MS },
  30: { minutes: 60, pointMs: 6 * HOUR_MS },
} as const

export const SLICE_HANDLERS: Pick<Handlers, keyof typeof SLICE_OPERATIONS> = {
  'slices.read': async ({ latency, clock }, doing, { environment, days }) => {
    const of = doing.merchant ? { merchantKey: doing.merchant.key } : { accountId: accountOf(doing), environment }
    const found = await latency.places(of, MOST_PLACES + 1)
    const places = found.slice(0, MOST_PLACES)
    const { minutes, pointMs } = POINTS[days]
    const nowMs = clock.now()
    const fromMs = Math.floor((nowMs - days * DAY_MS) / pointMs + 1) * pointMs
    const slices = await latency.since(
      places.map(({ locationId }) => locationId),
      minutes,
      fromMs,
    )
    const points = grouped(slices, ({ slot }) => Math.floor(slot / pointMs) * pointMs)
    const series: { at: string; paper: Figure; webhook: Figure }[] = []
    for (let atMs = fromMs; atMs <= nowMs; atMs += pointMs) {
      const here = points.get(atMs) ?? []
      series.push({
        at: toIso(atMs),
        paper: figureOf(countsOf(here, 'paper')),
        webhook: figureOf(countsOf(here, 'webhook')),
      })
    }
    const byPlace = grouped(slices, (slice) => slice.location_id)
    return {
      from: toIso(fromMs),
      least: LEAST,
      stages: STAGES.map((stage) => stageFigure(stage, countsOf(slices, stage))),
      series,
      places: places.map((place) => placeFigure(place, byPlace.get(place.locationId) ?? [])),
      morePlaces: found.length > MOST_PLACES,
    }
  },
}

function countsOf(slices: readonly Slice[], stage: Stage): Counts {
  return sumOf(slices.filter((slice) => slice.stage === stage).map(({ counts }) => counts))
}

function figureOf(counts: Counts): Figure {
  const count = totalOf(counts)
  if (count < LEAST) return { count, p50Ms: null, p95Ms: null }
  return { count, p50Ms: percentileOf(counts, 0.5), p95Ms: percentileOf(counts, 0.95) }
}

function stageFigure(stage: Stage, counts: Counts): StageFigure {
  const figure = figureOf(counts)
  const target = stage === 'paper' || stage === 'webhook' ? TARGETS[stage] : undefined
  if (target === undefined) return { stage, ...figure, target: null }
  const reached = figure.count < LEAST ? null : shareWithin(counts, target.ms)
  return { stage, ...figure, target: { ...target, reached, isMet: reached === null ? null : reached >= target.share } }
}

function placeFigure(place: PlaceOfSlices, slices: readonly Slice[]): PlaceFigure {
  const hourOf = hoursAt(place.timeZone)
  const hours = grouped(
    slices.filter(({ stage }) => stage === 'paper'),
    ({ slot }) => hourOf(slot),
  )
  return {
    ...place,
    hours: Array.from({ length: 24 }, (_, hour) =>
      figureOf(sumOf((hours.get(hour) ?? []).map(({ counts }) => counts))),
    ),
  }
}

/** The hour of the day there. */
function hoursAt(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone })
  const known = new Map<number, number>()
  return (ms) => {
    const hour = known.get(ms) ?? Number(format.format(ms))
    known.set(ms, hour)
    return hour
  }
}

function grouped<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  return Map.groupBy(items, keyOf)
}
