// Figures beside their limits: ratios of samples in turns, what is crossed, the table, the file of limits rewritten. Pure.
import { median, percentile } from '#test/bench/figures.ts'
import { type FigureName, LIMITS, type Limit, limitOf } from './limits.ts'

export interface Judged {
  name: FigureName
  /** NaN: not measured. */
  value: number
  limit: number
  isCrossed: boolean
  /** How far the middle half of our samples lies apart, in parts of their median; null: there was one. */
  spread: number | null
  /** What stands behind the ratio, such as `1.2 ms to 0.5 ms`. */
  note: string
}

/**
 * The mean of the quicker half. What else runs on a machine makes a sample slower, never quicker, so that the slower half says more of the
 * machine than of the program; the quickest one alone may be a stroke of luck.
 */
export function quickerHalf(values: readonly number[]): number {
  const half = values.toSorted((a, b) => a - b).slice(0, Math.ceil(values.length / 2))
  return half.reduce((sum, value) => sum + value, 0) / half.length
}

/**
 * @param ours samples taken in turns with `beside`, so that a machine that becomes slower meanwhile is slower for both
 * @param unit of the samples, for the note
 */
export function judge(name: FigureName, ours: readonly number[], beside: readonly number[], unit = 'ms'): Judged {
  const [our, other] = [quickerHalf(ours), quickerHalf(beside)]
  const value = our / other
  const limit = limitOf(LIMITS[name])
  const between = percentile(ours, 75) - percentile(ours, 25)
  const spread = ours.length > 1 ? between / median(ours) : null
  const note = `${short(our)} ${unit} to ${short(other)} ${unit}`
  // What could not be measured is no pass.
  return { name, value, limit, isCrossed: !(value <= limit), spread, note }
}

export function lineOf({ name, value, limit, isCrossed, spread, note }: Judged): string {
  const apart = spread === null ? '' : `, +-${Math.round(spread * 50)} %`
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
