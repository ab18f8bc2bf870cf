// Figures beside their limits: ratios of paired samples, what is crossed, the table, the file of limits rewritten. Pure.
import { median, percentile } from '#test/bench/figures.ts'
import { type FigureName, LIMITS, type Limit, limitOf } from './limits.ts'

export interface Judged {
  name: FigureName
  /** NaN: not measured. */
  value: number
  limit: number
  isCrossed: boolean
  /** How far the samples lie apart, in parts of the value; null: there was one. */
  spread: number | null
  /** What stands behind the ratio, such as `1.2 ms to 0.5 ms`. */
  note: string
}

/**
 * Ours beside the floor, in turns: floor, ours, floor, ours, ..., floor. Each of ours is divided by the mean of the two floors around it,
 * so that a machine that becomes slower meanwhile is slower for both.
 */
export function pairedRatios(ours: readonly number[], floors: readonly number[]): number[] {
  return ours.map((value, round) => {
    const [before = Number.NaN, after = before] = floors.slice(round, round + 2)
    return value / ((before + after) / 2)
  })
}

/** @param samples of the ratio: their median is the figure */
export function judge(name: FigureName, samples: readonly number[], note: string): Judged {
  const value = median(samples)
  const limit = limitOf(LIMITS[name])
  const between = percentile(samples, 75) - percentile(samples, 25)
  const spread = samples.length > 1 ? between / value : null
  // What could not be measured is no pass.
  return { name, value, limit, isCrossed: !(value <= limit), spread, note }
}

export function lineOf({ name, value, limit, isCrossed, spread, note }: Judged): string {
  const apart = spread === null ? '' : `, middle half of the samples within ${Math.round(spread * 100)} %`
  return `${isCrossed ? 'CROSSED' : 'ok     '} ${LIMITS[name].what}: ${short(value)} (limit ${short(limit)}; ${note}${apart})`
}

export function tableOf(judged: readonly Judged[]): string {
  const rows = judged.map(({ name, value, limit, isCrossed }) => {
    const cells = [isCrossed ? 'CROSSED' : 'ok', short(value).padStart(7), short(limit).padStart(7), LIMITS[name].what]
    return `  ${cells[0]?.padEnd(8)} ${cells.slice(1).join('  ')}`
  })
  return [`  ${''.padEnd(8)} ${'figure'.padStart(7)}  ${'limit'.padStart(7)}`, ...rows].join('\n')
}

/** The text of limits.ts with what was reached now. What was not measured stays. */
export function withReached(text: string, judged: readonly Judged[]): string {
  return judged.reduce((before, { name, value }) => {
    if (!Number.isFinite(value)) return before
    const entry = new RegExp(`('${name.replaceAll('.', '\\.')}': \\{[^}]*?reached: )[\\d.]+`)
    return before.replace(entry, `$1${short(value)}`)
  }, text)
}

/** What a limit stands for, when it is crossed. */
export function reasonOf(name: FigureName): Pick<Limit, 'what' | 'reason'> {
  return LIMITS[name]
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)))
}
