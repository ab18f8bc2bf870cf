// The minutes after which orders are late: the texts of a form, and the values that are sent. Pure.
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

/** The typed values, unchanged: the box refuses a value that is no number of minutes. An empty field of a half-filled row gets its default, adjusted to the typed one. */
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

/** The values of a type without entries in the form: shown in its empty fields. */
export function minutesWithout(key: ThresholdKey, draft: LateDraft): { soonMin: number; lateMin: number } {
  const { [key]: _, ...others } = thresholdsFrom(draft)
  return thresholdOf(key, thresholdsOf(others))
}
