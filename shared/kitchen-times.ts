// From which age an order is soon late and late, by its type: for displays and for what is counted of them. Pure.

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

export const USUAL_THRESHOLDS = {
  usual: { soonMin: 5, lateMin: 10 },
  delivery: { soonMin: 8, lateMin: 15 },
} as const satisfies AgeThresholds

/** @param orderType null: the order says none */
export function thresholdOf(orderType: string | null, thresholds: AgeThresholds): AgeThreshold {
  return (orderType === null ? undefined : thresholds[orderType]) ?? thresholds.usual
}
