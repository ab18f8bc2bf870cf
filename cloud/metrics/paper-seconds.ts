// How long an order took to paper, if it counts: it was due at once, and gateway and printers were connected. Pure.
import { z } from 'zod'

export interface OrderOnPaper {
  order: {
    /** The answer to its inject, JSON: it names for each line that was due by what it could be taken. */
    result: string
    queued_at: number
    fire_at: number | null
    fired_at: number | null
  }
  confirmation: 'confirmed' | 'assumed'
  printedAtMs: number
}

const answered = z.object({ ways: z.array(z.object({ way: z.string().nullable() })).optional() })

/** @returns null: it was for later, or its kitchen was away or not known when it was accepted */
export function paperSeconds({ order, printedAtMs }: OrderOnPaper): number | null {
  if (order.fire_at !== null || order.fired_at !== order.queued_at) return null
  const { ways = [] } = answered.parse(JSON.parse(order.result))
  if (ways.length === 0 || ways.some(({ way }) => way === null)) return null
  return Math.max(0, printedAtMs - order.queued_at) / 1_000
}
