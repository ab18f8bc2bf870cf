// What a gateway tells of itself beside its printers: by what each station can take an order now, and how well the box is.
import { z } from 'zod'
import { heldInstant, instant } from '#shared/instant.ts'

/** A box with more stations than this tells of none; of one that tells of more the relay takes so many. */
export const MOST_STATIONS_TOLD = 200

export const WAY_KINDS = ['printer', 'backup', 'display'] as const

export const stationWay = z.object({
  /** Null: lines without a station, and of every station that is not in the list. */
  station: z.string().max(64).nullable(),
  /** By what its lines come into the kitchen now; null: by nothing. */
  way: z.object({ kind: z.enum(WAY_KINDS), id: z.string().max(64), name: z.string().max(128) }).nullable(),
})
export type StationWay = z.infer<typeof stationWay>

/** What is wrong with a box, counted. */
export const healthSummary = z.object({
  critical: z.number().int().min(0),
  warning: z.number().int().min(0),
  advice: z.number().int().min(0),
  /** Of the worst finding: its stable word, such as `printer-down`; null: nothing was found. */
  worst: z.string().max(64).nullable(),
  /** Since when the worst lasts, epoch ms by the box's clock; null: not known, no instant, or nothing was found. */
  sinceMs: instant.nullable().catch(null),
})
export type HealthSummary = z.infer<typeof healthSummary>

/** A few are enough to say that somebody saw it. */
export const MOST_SCREENS_TOLD = 8

/** Screens that have shown an order, the first one first, and when they had drawn it by the relay's clock. */
export const shownOn = z.array(z.object({ name: z.string().max(128), atMs: heldInstant })).max(MOST_SCREENS_TOLD)
export type ShownOn = z.infer<typeof shownOn>

/**
 * In `status`. Absent: the gateway is older, or has not looked yet. What a newer gateway says in words that this relay does not know counts
 * as not said: the heartbeat around it must not be lost for it.
 */
export const standingFields = {
  stations: z.array(stationWay).optional().catch(undefined),
  health: healthSummary.optional().catch(undefined),
}
export interface GatewayStanding {
  stations?: StationWay[] | undefined
  health?: HealthSummary | undefined
}
