// gateways code, rotate: how a box joins a location, and another password for one that has.
import { makeClaimCode } from '#cloud/pairing/claim-codes.ts'
import { toIso } from '#shared/clock.ts'
import { AdminError, type Command, defineCommand } from './command.ts'
import { type AdminContext, audited } from './context.ts'
import { gatewayField, locationField, nameField } from './fields.ts'
import { facts } from './print.ts'

export const pairingCommands: readonly Command[] = [
  defineCommand({
    name: 'gateways code',
    summary: 'A claim code for a location: typed into a box within 15 minutes, it makes that box a gateway',
    options: { location: locationField, name: nameField.default('Kitchen') },
    example: '--location loc_01jd3k5v8wz9x0y1a2b3c4d5e6 --name "Kitchen Pi"',
    run: async (context, { location, name }) => {
      const place = await context.locations.find(location)
      if (place === null) throw new AdminError(`There is no location ${location}. \`locations list\` shows them.`)
      const { ownerAccountId: accountId } = await context.merchants.byKey(place.merchant_id)
      const made = await context.db.unit(async (tx) => {
        const code = await makeClaimCode(tx, context, { locationId: location, name, madeBy: 'cli' })
        const after = { name }
        if (code) await audited(tx, context, { accountId, action: 'gateway.code', subject: location, after })
        return code
      })
      if (made === null)
        throw new AdminError('Ten claim codes of this location wait for their box: use one, or wait until they expire.')
      const data = { code: made.code, expiresAt: toIso(made.expiresAtMs), location, name }
      const next = 'Type it on the page of the box, or there: ticketrail-gateway pair <code>'
      const here = (await context.gateways.ofLocation(location)).filter(({ simulated }) => !simulated)
      const gateways = here.map(({ gatewayId }) => gatewayId)
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
      const accountId = await ownerOf(context, gateway)
      if (context.brokerHasOwnList === true)
        throw new AdminError(
          'The broker at CLOUD_BROKER_URL knows one password a gateway, so two cannot be good at once. For another one make a code (`gateways code`), then unpair the box and pair it with that: its tickets stay, and its former self ends by itself.',
        )
      await context.db.unit(async (tx) => {
        if (!(await context.credentials.askRotation(tx, gateway, context.clock.now())))
          throw new AdminError(`${gateway} is revoked: it has no password to change.`)
        await audited(tx, context, { accountId, action: 'gateway.rotate', subject: gateway })
      })
      const text = `${gateway} gets another password as soon as it is online.`
      return { data: { gatewayId: gateway, rotating: true }, text }
    },
  }),
]

/** The account of the gateway's merchant. @throws AdminError when there is no such gateway */
export async function ownerOf(context: AdminContext, gatewayId: Parameters<AdminContext['gateways']['byId']>[0]) {
  const row = await context.gateways.byId(gatewayId)
  const place = row === null || row.simulated ? null : await context.locations.find(row.locationId)
  if (place === null) throw new AdminError(`There is no gateway ${gatewayId}. \`gateways list\` shows all.`)
  return (await context.merchants.byKey(place.merchant_id)).ownerAccountId
}
