// gateways code, rotate: how a box joins a location, and another password for one that has.
import { perform } from '#cloud/control/perform.ts'
import { type Command, defineCommand } from './command.ts'
import { consoleAct } from './context.ts'
import { gatewayField, locationField, nameField, requireOwnGateway, requirePlace } from './fields.ts'
import { facts } from './print.ts'

export const pairingCommands: readonly Command[] = [
  defineCommand({
    name: 'gateways code',
    summary: 'A claim code for a location: typed into a box within 15 minutes, it makes that box a gateway',
    options: { location: locationField, name: nameField.default('Kitchen') },
    example: '--location loc_01jd3k5v8wz9x0y1a2b3c4d5e6 --name "Kitchen Pi"',
    run: async (context, { location, name }) => {
      const { account, merchantId } = await requirePlace(context, location)
      const raw = { merchantId, locationId: location, name }
      const made = await perform(context, consoleAct(account), { name: 'gateways.code', raw })
      const data = { code: made.code, expiresAt: made.expiresAt, location, name }
      const next = 'Type it on the page of the box, or there: ticketrail-gateway pair <code>'
      const gateways = made.gateways.map(({ gatewayId }) => gatewayId)
      const beside =
        gateways.length === 0
          ? ''
          : `\n\nThe location has ${gateways.join(', ')} already. Two boxes share its orders, each prints what it gets: revoke the one that goes (\`gateways revoke\`).`
      return {
        data: { ...data, gateways },
        text: `${facts(data)}\n\nIt is shown this once and works once. ${next}${beside}`,
      }
    },
  }),

  defineCommand({
    name: 'gateways rotate',
    summary: 'Another password for a gateway; the present one works until the gateway has used the next',
    options: { gateway: gatewayField },
    example: '--gateway gw_01jd3k5v8wz9x0y1a2b3c4d5e6',
    run: async (context, { gateway }) => {
      const { account, merchantId } = await requireOwnGateway(context, gateway)
      const data = await perform(context, consoleAct(account), {
        name: 'gateways.rotate',
        raw: { merchantId, gatewayId: gateway },
      })
      return { data, text: `${gateway} gets another password as soon as it is online.` }
    },
  }),
]
