// From which age an order is soon late and late, by its type: for displays and for what is counted of them. Pure.
import type { ORDER_TYPES } from './order.ts'

/** Minutes since the kitchen should have had the order. */
export interface AgeThreshold {
  soonMin: number
  lateMin: number
}

/** By the order's type; `usual` for every type without its own. */
export interface AgeThresholds {
  readonly usual: AgeThreshold
  readonly [orderType: string]: AgeThreshold | undefined
}

/** Written out: pages that need these need no schema of an order. */
export const THRESHOLD_KEYS = [
  ...(['usual', 'dine-in', 'takeaway', 'delivery', 'drive-through', 'catering', 'curbside'] as const),
] as const satisfies readonly ('usual' | (typeof ORDER_TYPES)[number])[]
export type ThresholdKey = (typeof THRESHOLD_KEYS)[number]

/** What people have set: of the box, or of one screen; what is absent is as without them. Whole minutes, 1 to 180, late never before soon. */
export type OwnThresholds = { readonly [K in ThresholdKey]?: AgeThreshold }

export const MOST_MINUTES = 180

export const USUAL_THRESHOLDS = {
  usual: { soonMin: 5, lateMin: 10 },
  delivery: { soonMin: 8, lateMin: 15 },
} as const satisfies AgeThresholds

/** @param own of the box, then of the screen: the last one counts */
export function thresholdsOf(...own: readonly OwnThresholds[]): AgeThresholds {
  return Object.assign({}, USUAL_THRESHOLDS, ...own) as AgeThresholds
}

export function sameThresholds(one: OwnThresholds, other: OwnThresholds): boolean {
  return THRESHOLD_KEYS.every(
    (key) => one[key]?.soonMin === other[key]?.soonMin && one[key]?.lateMin === other[key]?.lateMin,
  )
}

/** @param orderType null: the order has none */
export function thresholdOf(orderType: string | null, thresholds: AgeThresholds): AgeThreshold {
  return (orderType === null ? undefined : thresholds[orderType]) ?? thresholds.usual
}

/** With one of its minutes changed; the other follows, so that soon is never after late. An invalid value changes nothing. */
export function withMinutes(before: AgeThreshold, change: Partial<AgeThreshold>): AgeThreshold {
  const soonMin = minutesOf(change.soonMin, before.soonMin)
  const lateMin = minutesOf(change.lateMin, before.lateMin)
  return change.lateMin === undefined
    ? { soonMin, lateMin: Math.max(soonMin, lateMin) }
    : { soonMin: Math.min(soonMin, lateMin), lateMin }
}

/** @returns `usual` where the value is no whole minute from 1 to 180 */
export function minutesOf(value: unknown, usual: number): number {
  const isOne = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST_MINUTES
  return isOne ? value : usual
}
