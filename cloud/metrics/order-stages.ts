// How long each part of an order's way to paper took, if that shows something about the relay and the kitchen. Pure.
import { z } from 'zod'
import { type OrderOnPaper, paperSeconds } from './paper-seconds.ts'

/**
 * - `paper`: from the acceptance to the last ticket on paper
 * - `handOver`: until the gateway has the job on its disk
 * - `firstByte`: from there until the first byte is at a printer
 * - `proof`: from there until the last ticket is on paper
 * - `webhook`: from an event until the first attempt at an endpoint begins
 */
export const STAGES = ['paper', 'handOver', 'firstByte', 'proof', 'webhook'] as const
export type Stage = (typeof STAGES)[number]

export interface SettledJob {
  order: OrderOnPaper['order'] & { printed_at: number | null }
  /** JSON of the tickets' evidence. */
  evidence: string | null
  createdAtMs: number
  acceptedAtMs: number | null
}

const tickets = z.array(z.object({ firstByteAtMs: z.number().nullable(), printedAtMs: z.number().nullable() }))

/** Milliseconds, none below 0. Empty: not on paper, for later, or its kitchen was away or not known when it was accepted. */
export function stagesOf(job: SettledJob): Partial<Record<Stage, number>> {
  const { order, evidence, createdAtMs, acceptedAtMs } = job
  if (order.printed_at === null || evidence === null) return {}
  const seconds = paperSeconds({ order, confirmation: 'confirmed', printedAtMs: order.printed_at })
  if (seconds === null) return {}
  const told = tickets.parse(JSON.parse(evidence))
  const firstByteAtMs = least(told.map((ticket) => ticket.firstByteAtMs))
  return {
    paper: Math.round(seconds * 1_000),
    ...between('handOver', createdAtMs, acceptedAtMs),
    ...between('firstByte', acceptedAtMs, firstByteAtMs),
    ...between('proof', firstByteAtMs, order.printed_at),
  }
}

function between(stage: Stage, fromMs: number | null, toMs: number | null): Partial<Record<Stage, number>> {
  return fromMs === null || toMs === null ? {} : { [stage]: Math.max(0, toMs - fromMs) }
}

function least(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.min(...known)
}
