// Durations counted in 24 buckets, so that those of many minutes and places can be added up and still give the median and the slow end. Pure.

/** Upper ends, milliseconds, both targets of docs/metrics.md among them (200, 2000). What is longer than the last has a bucket of its own. */
export const BOUNDS_MS = [
  ...[1, 2, 4, 7, 12, 20, 35, 60, 100, 200, 350, 600],
  ...[1_000, 2_000, 3_500, 6_000, 10_000, 20_000, 35_000, 60_000, 120_000, 300_000, 600_000],
] as const

/** One number a bucket. */
export type Counts = readonly number[]

export const NO_COUNTS: Counts = Object.freeze(Array.from({ length: BOUNDS_MS.length + 1 }, () => 0))

/** The bucket of a duration; below 0 counts as 0. */
export function bucketOf(ms: number): number {
  const index = BOUNDS_MS.findIndex((bound) => ms <= bound)
  return index === -1 ? BOUNDS_MS.length : index
}

export function withOne(counts: Counts, ms: number): number[] {
  return counts.with(bucketOf(ms), (counts[bucketOf(ms)] ?? 0) + 1)
}

export function sumOf(all: Iterable<Counts>): number[] {
  const sum = [...NO_COUNTS]
  for (const counts of all) for (const [index, count] of counts.entries()) sum[index] = (sum[index] ?? 0) + count
  return sum
}

export function totalOf(counts: Counts): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

/**
 * The duration that this share of all did not exceed, in whole milliseconds: it is in the bucket of the exact one.
 * @param share above 0, at most 1. @returns null: nothing was counted. Durations beyond the last bound count as that bound
 */
export function percentileOf(counts: Counts, share: number): number | null {
  const total = totalOf(counts)
  if (total === 0) return null
  const rank = Math.max(1, Math.ceil(share * total))
  let before = 0
  for (const [index, count] of counts.entries()) {
    if (before + count >= rank) {
      const lower = BOUNDS_MS[index - 1] ?? 0
      const upper = BOUNDS_MS[index]
      // Above the lower end, which belongs to the bucket before.
      return upper === undefined
        ? lower
        : Math.max(Math.round(lower + ((upper - lower) * (rank - before)) / count), lower + 1)
    }
    before += count
  }
  throw new Error('the counts do not add up')
}

/** The share that took at most so long; null: nothing was counted. @param boundMs one of BOUNDS_MS */
export function shareWithin(counts: Counts, boundMs: (typeof BOUNDS_MS)[number]): number | null {
  const total = totalOf(counts)
  return total === 0 ? null : totalOf(counts.slice(0, BOUNDS_MS.indexOf(boundMs) + 1)) / total
}
