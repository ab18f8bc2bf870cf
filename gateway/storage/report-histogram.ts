// Times counted in classes that grow by a twentieth: the median and the 90th percentile of thousands of orders from a few hundred bytes. Pure.

/** Number of times by class; classes without any are left out. */
export type Histogram = Map<number, number>

const FIRST_MS = 10
const LAST_MS = 7 * 86_400_000
const GROWTH = 1.05

/** Upper borders of the classes, milliseconds. */
const BORDERS_MS: readonly number[] = borders()

function borders(): number[] {
  const made = [FIRST_MS]
  for (let top = FIRST_MS; top < LAST_MS; made.push(top)) top = Math.max(top + 1, Math.round(top * GROWTH))
  return made
}

/** The first class whose upper bound is not below; more than a week counts as a week. */
export function classOf(ms: number): number {
  let low = 0
  let high = BORDERS_MS.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((BORDERS_MS[middle] ?? 0) < ms) low = middle + 1
    else high = middle
  }
  return low
}

/** Borders of a class: above `fromMs`, up to `toMs`. */
export function bordersOf(index: number): { fromMs: number; toMs: number } {
  return { fromMs: index === 0 ? 0 : (BORDERS_MS[index - 1] ?? 0), toMs: BORDERS_MS[index] ?? LAST_MS }
}

export function count(into: Histogram, ms: number, times = 1): void {
  const index = classOf(ms)
  into.set(index, (into.get(index) ?? 0) + times)
}

export function addHistogram(into: Histogram, other: Histogram): void {
  for (const [index, times] of other) into.set(index, (into.get(index) ?? 0) + times)
}

/** The middle of the class of this percentile, in milliseconds. Null: there are no times. */
export function percentile(counts: Histogram, share: number): number | null {
  const total = [...counts.values()].reduce((sum, times) => sum + times, 0)
  if (total === 0) return null
  let left = Math.max(1, Math.ceil(total * share))
  for (const index of [...counts.keys()].sort((a, b) => a - b)) {
    left -= counts.get(index) ?? 0
    if (left > 0) continue
    const { fromMs, toMs } = bordersOf(index)
    return Math.round((fromMs + toMs) / 2)
  }
  return null
}

/** The stored form: `[class, times, class, times]`. */
export function histogramText(counts: Histogram): string {
  return JSON.stringify([...counts].sort(([a], [b]) => a - b).flat())
}

/** Damaged text counts as empty. */
export function histogramOf(text: string): Histogram {
  const counts: Histogram = new Map()
  let numbers: unknown
  try {
    numbers = JSON.parse(text)
  } catch {
    return counts
  }
  if (!Array.isArray(numbers)) return counts
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    const [index, times] = [Number(numbers[at]), Number(numbers[at + 1])]
    if (Number.isInteger(index) && Number.isInteger(times) && index >= 0 && index < BORDERS_MS.length && times > 0)
      counts.set(index, times)
  }
  return counts
}
