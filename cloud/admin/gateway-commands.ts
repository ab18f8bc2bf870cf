// gateways: the programs in the restaurants.
import { z } from 'zod'
import { mayAddGateway } from '#cloud/billing/gateway-cap.ts'
import { registerGateway, revokeGateway } from '#cloud/relay/gateway-registry.ts'
import { toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import type { LocationId } from '#shared/ids.ts'
import type { Pairing } from '#shared/wire/gateway-link.ts'
import { isGuardedUrl } from '#shared/wire/guarded-url.ts'
import { AdminError, type Command, defineCommand } from './command.ts'
import { type AdminContext, audited } from './context.ts'
import { gatewayField, locationField, merchantField, nameField, ownerField, requireMerchant } from './fields.ts'
import { facts, table } from './print.ts'

/** @throws AdminError when the account of this location has as many gateways as it may */
async function mayAdd(context: AdminContext, location: LocationId): Promise<void> {
  try {
    await context.db.unit((tx) => mayAddGateway(tx, context, location))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new AdminError(`${error.message} \`plans set --gateways\` allows more by contract.`)
  }
}

export const gatewayCommands: readonly Command[] = [
  defineCommand({
    name: 'gateways list',
    summary: 'Gateways with their locations, newest first',
    options: { merchant: merchantField.optional(), account: ownerField },
    example: '--merchant M-PROD-BISTRO',
    run: async (context, { merchant, account }) => {
      const of = merchant === undefined ? null : (await requireMerchant(context, { merchant, account })).id
      const rows = (await context.gatewayList.list(of))
        .filter((row) => row.simulated === 0)
        .map((row) => ({
          gatewayId: row.id,
          name: row.name,
          merchantId: row.public_id,
          location: row.location_name,
          state: row.revoked_at === null ? row.presence : 'revoked',
          version: row.app_version,
          lastSeenAt: row.last_seen_at === null ? null : toIso(row.last_seen_at),
        }))
      return { data: rows, text: table(rows, 'No gateways: `gateways add` makes the pairing file of one.') }
    },
  }),

  defineCommand({
    name: 'gateways add',
    summary: 'A new gateway of a location; prints its pairing file, which holds its password',
    options: {
      location: locationField,
      name: nameField,
      brokerUrl: z
        .string()
        .regex(/^(mqtts?|wss?):\/\/.+/, { error: 'must begin with mqtt://, mqtts://, ws:// or wss://' })
        .refine(isGuardedUrl, {
          error: 'must begin with mqtts:// or wss://: the password goes there; plain only on this machine',
        })
        .describe('Where the gateway reaches the broker, such as mqtts://relay.example:8883'),
    },
    example: '--location loc_01jd3k5v8wz9x0y1a2b3c4d5e6 --name "Kitchen Pi" --broker-url mqtts://relay.example:8883',
    run: async (context, { location, name, brokerUrl }) => {
      const place = await context.locations.find(location)
      if (place === null) throw new AdminError(`There is no location ${location}. \`locations list\` shows them.`)
      const merchant = await context.merchants.byKey(place.merchant_id)
      await mayAdd(context, location)
      const { gatewayId, token, topics } = await registerGateway(context, { locationId: location, name })
      const after = { gatewayId, name, location }
      await context.db.unit((tx) =>
        audited(tx, context, {
          accountId: merchant.ownerAccountId,
          action: 'gateway.add',
          subject: gatewayId,
          after,
        }),
      )
      const pairing: Pairing = {
        gatewayId,
        token,
        brokerUrl,
        topics,
        merchantName: merchant.name,
        timeZone: merchant.timeZone,
      }
      const text = `${facts(after)}\n\nSave this as the gateway's pairing file (GATEWAY_PAIRING_FILE, mode 600). It is shown this once.\n${JSON.stringify(pairing, null, 2)}`
      return { data: { gatewayId, pairing }, text }
    },
  }),

  defineCommand({
    name: 'gateways revoke',
    summary: "Take a gateway's password away; a running relay closes its connection within five seconds",
    options: { gateway: gatewayField },
    example: '--gateway gw_01jd3k5v8wz9x0y1a2b3c4d5e6',
    run: async (context, { gateway }) => {
      const row = await context.gateways.byId(gateway)
      if (row === null || row.simulated)
        throw new AdminError(`There is no gateway ${gateway}. \`gateways list\` shows all.`)
      const requeued = await revokeGateway(context, gateway)
      const place = await context.locations.find(row.locationId)
      const owner = place === null ? null : (await context.merchants.byKey(place.merchant_id)).ownerAccountId
      await context.db.unit((tx) =>
        audited(tx, context, { accountId: owner, action: 'gateway.revoke', subject: gateway }),
      )
      const waiting =
        requeued === 0 ? '' : ` Its ${requeued} open jobs wait for the location's next gateway, as possible duplicates.`
      return {
        data: { gatewayId: gateway, revoked: true, requeued },
        text: `${gateway} may no longer connect.${waiting}`,
      }
    },
  }),
]
