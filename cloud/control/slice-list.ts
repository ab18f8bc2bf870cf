// Operation on how fast orders reach paper and webhooks leave: its input and what it answers.
import { z } from 'zod'
import type { Stage } from '#cloud/metrics/order-stages.ts'
import type { LocationId } from '#shared/ids.ts'
import { text } from '#shared/wire/api/fields.ts'
import { reads } from './operation.ts'

export const SLICE_OPERATIONS = {
  'slices.read': reads(
    'How long orders took to paper and events to their first attempt, by time, stage and place',
    z.strictObject({
      environment: z.enum(['sandbox', 'live']),
      /** Only of this merchant; without it, of all that the account owns. */
      merchantId: text(64).optional(),
      days: z.union([z.literal(1), z.literal(7), z.literal(30)]).default(7),
    }),
    'kitchen',
  ),
}

/** Milliseconds; null where fewer than 20 were counted: one slow ticket would count too much. */
export interface Figure {
  count: number
  p50Ms: number | null
  p95Ms: number | null
}

export interface StageFigure extends Figure {
  stage: Stage
  /** The target of docs/metrics.md, where there is one: at least `share` within `ms`. `met` null: too few. */
  target: { ms: number; share: number; reached: number | null; isMet: boolean | null } | null
}

export interface PlaceFigure {
  locationId: LocationId
  name: string
  merchantId: string
  merchantName: string
  timeZone: string
  /** To paper, by the hour of the day at the restaurant, 0 to 23. */
  hours: Figure[]
}

export interface SlicesAnswer {
  from: string
  /** Fewer samples than this give no figure. */
  least: number
  /** In the order of the way. */
  stages: StageFigure[]
  series: { at: string; paper: Figure; webhook: Figure }[]
  /** At most 20. */
  places: PlaceFigure[]
  morePlaces: boolean
}

export interface SliceAnswers {
  'slices.read': SlicesAnswer
}
