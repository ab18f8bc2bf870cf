// A gateway's routing, sent where rules have conditions beyond the station: the relay uses it to determine the way of each line.
import { z } from 'zod'
import { stationWay } from './gateway-standing.ts'

/** As JSON. A box whose routing is longer sends none of it: then only its stations are known. */
export const MOST_ROUTING_CHARS = 12_000

const word = z.string().max(128)
const id = z.string().max(64)

export const gatewayRouting = z.object({
  /** Those of `printers`, in the order in which the gateway chooses, the default one first. */
  printers: z
    .array(
      z.object({
        id,
        /** It takes kitchen tickets without a rule. */
        orders: z.boolean(),
        /** The printer that prints its tickets now: its own id, or that of a backup; null: they wait. */
        by: id.nullable(),
      }),
    )
    .max(64),
  /** Those for kitchen tickets of orders, in the order of evaluation. */
  rules: z
    .array(
      z.object({
        /** One that this relay does not know: then the whole routing is ignored, and the stations count. */
        when: z.strictObject({
          station: word.optional(),
          category: word.optional(),
          umsId: word.optional(),
          locationId: word.optional(),
          source: word.optional(),
          orderType: word.optional(),
          course: z.number().int().optional(),
        }),
        to: z.array(id).max(16),
        stop: z.boolean(),
      }),
    )
    .max(200),
  /** By what lines of a station come where none of their printers prints: a live screen, or the printer behind a silent one. */
  screens: z.array(stationWay).max(201),
})
export type GatewayRouting = z.infer<typeof gatewayRouting>
