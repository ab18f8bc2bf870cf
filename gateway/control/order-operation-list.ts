// Operations on orders by their number on paper, and the manager's report. A part of OPERATIONS.
import { z } from 'zod'
import { fromIso } from '#shared/clock.ts'
import { reads } from './operation.ts'

/** A day of the restaurant's calendar. */
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a day such as 2026-11-25' })
  .refine((text) => fromIso(`${text}T00:00:00Z`) !== null, { error: 'must be a day such as 2026-11-25' })

const reported = z.strictObject({
  from: day,
  to: day,
  by: z.enum(['day', 'hour', 'weekday', 'type', 'station', 'printer']).default('day'),
})

export const ORDER_OPERATIONS = {
  'orders.list': reads(
    'Orders, newest first, one entry an order; looked for by number, guest, dish or id among all that are kept',
    z.strictObject({
      search: z.string().trim().max(100).default(''),
      state: z.enum(['waiting', 'trouble', 'printed', 'scheduled', 'ready', 'voided']).optional(),
      limit: z.number().int().min(1).max(100).default(50),
      before: z.number().int().optional(),
    }),
    'manager',
  ),
  'orders.show': reads(
    'One order: its tickets, screens and cooks in one timeline. Named by its number (the newest then) or by an id',
    z.strictObject({ order: z.string().trim().min(1).max(128) }),
    'manager',
  ),

  'report.get': reads(
    'How long orders took and how many were late, by day, hour, weekday, type or station; or what printers printed',
    reported,
    'manager',
  ),
  'report.csv': reads('The same as a CSV file', reported, 'manager'),
} as const
