// gateways: the programs in the restaurants.
import { brokerUrl as brokerUrlSchema } from '#cloud/control/gateway-list.ts'
import { perform } from '#cloud/control/perform.ts'
import { requireMerchant } from '#cloud/control/require.ts'
import { toIso } from '#shared/clock.ts'
import { type Command, defineCommand } from './command.ts'
import { consoleAct } from './context.ts'
import {
  gatewayField,
  locationField,
  merchantField,
  nameField,
  ownerField,
  requireOwnGateway,
  requirePlace,
} from './fields.ts'
import { facts, table } from './print.ts'

export const gatewayCommands: readonly Command[] = [
  defineCommand({
    name: 'gateways list',
    summary: 'Gateways with their locations, newest first',
    options: { merchant: merchantField.optional(), account: ownerField },
    example: '--merchant M-PROD-BISTRO',
    run: async (context, { merchant, account }) => {
      const of = merchant === undefined ? null : (await requireMerchant(context, account ?? null, merchant)).key
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
      brokerUrl: brokerUrlSchema.describe('Where the gateway reaches the broker, such as mqtts://relay.example:8883'),
    },
    example: '--location loc_01jd3k5v8wz9x0y1a2b3c4d5e6 --name "Kitchen Pi" --broker-url mqtts://relay.example:8883',
    run: async (context, { location, name, brokerUrl }) => {
      const { account, merchantId } = await requirePlace(context, location)
      const { gatewayId, pairing } = await perform(context, consoleAct(account), {
        name: 'gateways.add',
        raw: { merchantId, locationId: location, name, brokerUrl },
      })
      const text = `${facts({ gatewayId, name, location })}\n\nSave this as the gateway's pairing file (GATEWAY_PAIRING_FILE, mode 600). It is shown this once.\n${JSON.stringify(pairing, null, 2)}`
      return { data: { gatewayId, pairing }, text }
    },
  }),

  defineCommand({
    name: 'gateways revoke',
    summary: "Take a gateway's password away; a running relay closes its connection within five seconds",
    options: { gateway: gatewayField },
    example: '--gateway gw_01jd3k5v8wz9x0y1a2b3c4d5e6',
    run: async (context, { gateway }) => {
      const { account, merchantId } = await requireOwnGateway(context, gateway)
      const raw = { merchantId, gatewayId: gateway }
      const { requeued, ...data } = await perform(context, consoleAct(account), { name: 'gateways.revoke', raw })
      const waiting =
        requeued === 0 ? '' : ` Its ${requeued} open jobs wait for the location's next gateway, as possible duplicates.`
      return { data: { ...data, requeued }, text: `${gateway} may no longer connect.${waiting}` }
    },
  }),
]
