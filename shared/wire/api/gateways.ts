// Gateways of the /v1 API: the boxes in the kitchens, how they are, and the sandbox's claim code for a box of one's own.
import { z } from 'zod'
import { WAY_KINDS } from '#shared/wire/gateway-standing.ts'
import { isoTime, merchantIdField, text } from './fields.ts'

export const gatewaysQuery = z
  .strictObject({ merchantId: merchantIdField, locationId: text(64).optional() })
  .meta({ id: 'GatewaysQuery' })

export const gatewayResource = z
  .object({
    gatewayId: z.string(),
    name: z.string(),
    locationId: z.string(),
    state: z.enum(['online', 'offline', 'unknown']),
    version: z.string().nullable(),
    /** True for the kitchen that the sandbox simulates. */
    simulated: z.boolean(),
    clockSkewMs: z.number().int().nullable(),
    queue: z.object({ waiting: z.number().int(), held: z.number().int(), unreported: z.number().int() }).nullable(),
    /**
     * How each station can receive an order, as last reported; null: not reported. The one without a name: lines of no station, and of any
     * other.
     */
    stations: z
      .array(
        z.object({
          station: z.string().nullable(),
          way: z.enum(WAY_KINDS).nullable(),
          /** Of the printer or the display. */
          name: z.string().nullable(),
        }),
      )
      .nullable(),
    /** Its problems, counted, as last reported; null: not reported. `worst`: the severity of the worst finding. */
    health: z
      .object({
        critical: z.number().int(),
        warning: z.number().int(),
        advice: z.number().int(),
        worst: z.string().nullable(),
        since: isoTime.nullable(),
      })
      .nullable(),
    lastSeenAt: isoTime.nullable(),
    pairedAt: isoTime,
    /** What the cloud proposes to it; null when nothing. */
    configuration: z
      .object({
        version: z.number().int(),
        answeredVersion: z.number().int().nullable(),
        printers: z.array(
          z.object({
            name: z.string(),
            printerId: z.string().nullable(),
            state: z.enum(['waiting', 'applied', 'refused', 'removed']),
            reason: z.string().nullable(),
            conflicts: z.array(
              z.object({
                field: z.string(),
                stands: z.enum(['gateway', 'cloud']),
                value: z.string(),
                by: z.string(),
                at: isoTime,
              }),
            ),
          }),
        ),
      })
      .nullable(),
  })
  .meta({ id: 'Gateway' })
export type GatewayResource = z.infer<typeof gatewayResource>
export const gatewaysList = z.object({ data: z.array(gatewayResource) }).meta({ id: 'GatewaysList' })

export const makeClaimCode = z
  .strictObject({ merchantId: merchantIdField, locationId: text(64).optional(), name: text(120).default('Kitchen') })
  .meta({ id: 'MakeClaimCode' })
export const claimCode = z
  .object({ claimCode: z.string(), locationId: z.string(), expiresAt: isoTime })
  .meta({ id: 'ClaimCode' })
