// The minutes after which orders are late as they stand in a form, all text, and what of it is sent. Pure.
import {
  type OwnThresholds,
  THRESHOLD_KEYS,
  type ThresholdKey,
  thresholdOf,
  thresholdsOf,
  withMinutes,
} from '#shared/kitchen-times.ts'

/** Empty: as usual. */
export type LateDraft = Record<ThresholdKey, { soonMin: string; lateMin: string }>

export function lateDraftOf(own: OwnThresholds): LateDraft {
  const rows = THRESHOLD_KEYS.map((key) => {
    const { soonMin = '', lateMin = '' } = own[key] ?? {}
    return [key, { soonMin: String(soonMin), lateMin: String(lateMin) }]
  })
  return Object.fromEntries(rows) as LateDraft
}

/** What was typed, as it was typed: the box says what is no minute. The other one of half a row is as it would be without it, and follows the typed one. */
export function thresholdsFrom(draft: LateDraft): OwnThresholds {
  const own: { -readonly [K in keyof OwnThresholds]: OwnThresholds[K] } = {}
  for (const key of THRESHOLD_KEYS) {
    const { soonMin, lateMin } = draft[key]
    const without = thresholdOf(key, thresholdsOf(own))
    if (soonMin === '' && lateMin === '') continue
    const typed = {
      ...(soonMin !== '' && { soonMin: Number(soonMin) }),
      ...(lateMin !== '' && { lateMin: Number(lateMin) }),
    }
    own[key] = { ...withMinutes(without, typed), ...typed }
  }
  return own
}

/** What holds for a type of which the form says nothing: shown in its empty fields. */
export function minutesWithout(key: ThresholdKey, draft: LateDraft): { soonMin: number; lateMin: number } {
  const { [key]: _, ...others } = thresholdsFrom(draft)
  return thresholdOf(key, thresholdsOf(others))
}
