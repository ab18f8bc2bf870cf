// Percentiles and tables of the benches.

export interface Figure {
  name: string
  /** What was asked for, such as `<= 8 ms`. */
  goal: string
  value: string
  met: boolean | null
}

/** The p-th percentile (0..100) of the values by the nearest-rank rule; NaN for none. */
export function percentile(values: readonly number[], p: number): number {
  if (values.length === 0) return Number.NaN
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil((p / 100) * sorted.length) - 1))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`
}

/** Markdown table of the figures. */
export function toMarkdown(figures: readonly Figure[]): string {
  const rows = figures.map(
    (f) => `| ${f.name} | ${f.goal} | ${f.value} | ${f.met === null ? '' : f.met ? 'yes' : '**no**'} |`,
  )
  return ['| Figure | Goal | Measured | Met |', '| --- | --- | --- | --- |', ...rows].join('\n')
}
