// What a gateway tells of its routing where rules ask for more than the station: by it the relay says of each line by which way it comes.
import { z } from 'zod'
import { stationWay } from './gateway-standing.ts'

/** As JSON. A box whose routing is longer tells none of it: then its stations alone are known. */
export const MOST_ROUTING_CHARS = 12_000

const word = z.string().max(128)
const id = z.string().max(64)

export const gatewayRouting = z.object({
  /** Those of `printers`, in the order in which the gateway chooses, the default one first. */
  printers: z
    .array(
      z.object({
        id,
        /** It takes kitchen tickets without being told by a rule. */
        orders: z.boolean(),
        /** The printer by which its tickets come out now: its own id, or that of a backup; null: they wait. */
        by: id.nullable(),
      }),
    )
    .max(64),
  /** Those for kitchen tickets of orders, in the order in which they are asked. */
  rules: z
    .array(
      z.object({
        /** One that this relay does not know: then none of the routing is believed, and the stations count. */
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
