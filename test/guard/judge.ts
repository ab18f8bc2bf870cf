// Figures beside their limits: ratios of samples in turns, what is crossed, the table, the verdict of a run, the file of limits rewritten. Pure.
import { median, percentile } from '#test/bench/figures.ts'
import { type FigureName, LIMITS, type Limit, limitOf } from './limits.ts'
import type { Part } from './options.ts'

/** A sample of so many limits is no noise when half of all are like it: the quicker half alone would not see what comes every second time. */
const FAR_ABOVE = 2

/** No machine that was seen made more of a difference; a reference that was disturbed while it was measured would. */
const MOST_RAISED = 1.6

export interface Judged {
  name: FigureName
  /** NaN: not measured. */
  value: number
  /** Samples of either side without a value, such as of orders that were never printed: one is enough to cross. */
  lost: number
  limit: number
  isCrossed: boolean
  /** Half of the samples lie far above the limit: what comes every second time. */
  isErratic: boolean
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
  const [known, floors] = [ours.filter(isMeasured), beside.filter(isMeasured)]
  const lost = ours.length + beside.length - known.length - floors.length
  const [our, other] = [quickerHalf(known), quickerHalf(floors)]
  const value = our / other
  const limit = limitOf(LIMITS[name])
  const spread = known.length > 1 ? (percentile(known, 75) - percentile(known, 25)) / median(known) : null
  const far = known.filter((sample) => sample / median(floors) > FAR_ABOVE * limit)
  const isErratic = far.length > 0 && far.length >= known.length / 2
  const notes = [`${short(our)} ${unit} to ${short(other)} ${unit}`]
  if (lost > 0) notes.push(`${lost} of ${ours.length + beside.length} samples measured nothing`)
  if (isErratic) notes.push('half of the samples lie far above the limit')
  // What could not be measured is no pass.
  const isCrossed = lost > 0 || isErratic || !(value <= limit)
  return { name, value, lost, limit, isCrossed, isErratic, spread, note: notes.join(', ') }
}

function isMeasured(value: number): boolean {
  return Number.isFinite(value) && value > 0
}

/**
 * What was crossed, judged by what the tree of the limits reaches on this machine: the same code costs more beside the floor on one machine
 * than on another. What that tree did not measure stays crossed, and so does what is erratic or above what was promised.
 * @param reference figures of the tree of the limits
 */
export function besideReference(judged: readonly Judged[], reference: readonly Judged[]): Judged[] {
  return judged.map((figure) => {
    const there = reference.find(({ name }) => name === figure.name)
    if (!(figure.value > figure.limit) || figure.isErratic || figure.lost > 0) return figure
    if (there === undefined || there.lost > 0 || !isMeasured(there.value)) return figure
    const { promised } = LIMITS[figure.name]
    const here = limitOf({ reached: there.value, ...(promised === undefined ? {} : { promised }) })
    const limit = Math.min(Math.max(figure.limit, here), MOST_RAISED * figure.limit)
    const note = `${figure.note}; the tree of the limits reaches ${short(there.value)} here`
    return { ...figure, limit, note, isCrossed: !(figure.value <= limit) }
  })
}

/**
 * What the tree of the limits reaches beside the floor, told by samples of both trees in turns: the floor's own orders are so cheap that the
 * same tree reached 4.1 and 6.0 in two kitchens of one run.
 */
export function reachedInTurns(figure: Judged, ours: readonly number[], reference: readonly number[]): Judged {
  const { value: ratio, lost } = judge(figure.name, ours, reference)
  return { ...figure, value: figure.value / ratio, lost }
}

export interface Run {
  asked: ReadonlySet<Part>
  judged: readonly Judged[]
  /** Figures that cannot be measured on this machine, with the reason. */
  skipped: readonly string[]
  /** What did not happen as it was meant to while something was measured, such as orders that were not printed. */
  flaws: readonly string[]
}

/**
 * Why a run fails, a sentence each; none: it has passed. What was asked for and not measured is a failure, but for what this machine cannot
 * measure: that is one only in CI.
 */
export function failuresOf({ asked, judged, skipped, flaws }: Run, isCi: boolean): string[] {
  const crossed = judged.filter(({ isCrossed }) => isCrossed).map(({ name }) => name)
  const names = new Set(judged.map(({ name }) => name))
  const isSkipped = (name: FigureName) => skipped.some((text) => text.startsWith(`${name}:`))
  const missing = (Object.keys(LIMITS) as FigureName[]).filter(
    (name) => asked.has(partOfFigure(name)) && !names.has(name) && (isCi || !isSkipped(name)),
  )
  return [
    ...(crossed.length > 0 ? [`above the limit: ${crossed.join(', ')}`] : []),
    ...(missing.length > 0 ? [`not measured: ${missing.join(', ')}`] : []),
    ...flaws,
  ]
}

export function partOfFigure(name: FigureName): Part {
  const [first] = name.split('.')
  return first === 'drain' || first === 'heap' || first === 'browser' ? first : 'rounds'
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
  return judged.reduce((before, { name, value, lost }) => {
    if (!Number.isFinite(value) || lost > 0) return before
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
