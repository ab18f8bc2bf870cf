// Routing rules, by which a restaurant sends paper where stations alone do not. Validated when saved; read by route-job.ts.
import { z } from 'zod'
import { ORDER_TYPES } from '#shared/order.ts'
import { paperType } from '#shared/printer-settings.ts'

export const MOST_RULES = 200

const word = z.string().trim().min(1).max(64)
const printerId = z.string().min(1).max(64)

export const routingRule = z
  .strictObject({
    /** Name for people. The trace of a ticket contains it. */
    name: word,
    /**
     * All conditions that are set must hold. Without conditions the rule applies to every item of every order. Names (station, category,
     * source) are compared without regard to case.
     */
    when: z
      .strictObject({
        /**
         * Absent or `kitchen`: orders. `receipt`, `label`: print jobs of that kind from a client that have no target printer or station.
         */
        paper: paperType.optional(),
        station: word.optional(),
        category: word.optional(),
        umsId: z.string().min(1).max(128).optional(),
        locationId: word.optional(),
        source: word.optional(),
        /** Type of the order. */
        orderType: z.enum(ORDER_TYPES).optional(),
        /** Course of the item. Items without a course do not match. */
        course: z.number().int().min(1).max(99).optional(),
      })
      .default({}),
    print: z.strictObject({
      /** One ticket at each of these printers. A printer that no longer exists is skipped, and the trace says so. */
      printerIds: z.array(printerId).min(1).max(16),
      paper: paperType.default('kitchen'),
      /** Absent: as in the settings of the printer. */
      copies: z.number().int().min(1).max(5).optional(),
      split: z.enum(['consolidated', 'per-item']).optional(),
      /** Station name on the ticket. Items that are sent with another name get their own ticket. */
      station: word.optional(),
    }),
    /**
     * A rule adds a ticket to those of later rules and of stations. With `stop` no later rule or station applies to this item and this
     * paper.
     */
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

/** All rules of a gateway, in the order in which they are applied. */
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

/** One reason in the trace of a ticket, for people. */
export interface RouteStep {
  /** Indices of the order's items. Empty: the job as a whole. */
  items: readonly number[]
  /** The reason in words. Contains names from outside (stations, categories): escape it where it is shown. */
  why: string
}
