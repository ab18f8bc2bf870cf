// Rules by which a restaurant sends paper where stations alone do not: checked when they are saved, read by route-job.ts.
import { z } from 'zod'
import { ORDER_TYPES } from '#shared/order.ts'
import { paperType } from '#shared/printer-settings.ts'

export const MOST_RULES = 200

const word = z.string().trim().min(1).max(64)
const printerId = z.string().min(1).max(64)

export const routingRule = z
  .strictObject({
    /** What people call it; the trace of a ticket names it. */
    name: word,
    /**
     * All conditions that are given must hold; none given = every item of every order. Names (station, category, source) are compared
     * without regard to case.
     */
    when: z
      .strictObject({
        /** Absent or `kitchen`: orders. `receipt`, `label`: print jobs of that kind that a client sent and that name no printer or station. */
        paper: paperType.optional(),
        station: word.optional(),
        category: word.optional(),
        umsId: z.string().min(1).max(128).optional(),
        locationId: word.optional(),
        source: word.optional(),
        /** Of the order. */
        orderType: z.enum(ORDER_TYPES).optional(),
        /** Of the item; items without a course are of none. */
        course: z.number().int().min(1).max(99).optional(),
      })
      .default({}),
    print: z.strictObject({
      /** A ticket at each of them. One that is gone is passed over, and the trace says so. */
      printerIds: z.array(printerId).min(1).max(16),
      paper: paperType.default('kitchen'),
      /** Absent: as the printer's settings say. */
      copies: z.number().int().min(1).max(5).optional(),
      split: z.enum(['consolidated', 'per-item']).optional(),
      /** Stands on the ticket as its station; items that are sent under another name get a ticket of their own. */
      station: word.optional(),
    }),
    /** A rule adds a ticket to what follows. With `stop` nothing follows for this item and this paper: no later rule, no station. */
    stop: z.boolean().default(false),
  })
  .superRefine(({ when, print }, issues) => {
    if (when.paper === undefined || when.paper === 'kitchen') return
    // A client's receipt or label has no items.
    for (const field of ['category', 'umsId', 'source', 'orderType', 'course'] as const) {
      if (when[field] !== undefined)
        issues.addIssue({
          code: 'custom',
          path: ['when', field],
          message: `must be left out: when.paper ${when.paper} means what clients send, and that has no items`,
        })
    }
    if (print.paper !== when.paper)
      issues.addIssue({
        code: 'custom',
        path: ['print', 'paper'],
        message: `must be ${when.paper}, as when.paper is: what a client sent as ${when.paper} stays one`,
      })
  })
  .meta({ id: 'RoutingRule' })
export type RoutingRule = z.infer<typeof routingRule>

/** All rules of a gateway, in the order in which they are asked. */
export const routingRules = z
  .array(routingRule)
  .max(MOST_RULES)
  .superRefine((rules, issues) => {
    const seen = new Set<string>()
    rules.forEach(({ name }, index) => {
      const folded = name.toLowerCase()
      if (seen.has(folded))
        issues.addIssue({
          code: 'custom',
          path: [index, 'name'],
          message: 'must be unlike the name of an earlier rule',
        })
      seen.add(folded)
    })
  })

/** One reason of a ticket's way, for people. */
export interface RouteStep {
  /** Indices into the order's items; empty: the job as a whole. */
  items: readonly number[]
  /** In words. Holds names from outside (stations, categories): escape it where it is shown. */
  why: string
}
