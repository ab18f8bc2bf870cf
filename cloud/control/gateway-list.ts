// Operations on gateways, the boxes in the kitchens: their inputs and what they answer.
import { z } from 'zod'
import type { GatewayId, LocationId } from '#shared/ids.ts'
import type { Pairing } from '#shared/wire/gateway-link.ts'
import { isGuardedUrl } from '#shared/wire/guarded-url.ts'
import { idField, merchantId, plainName } from './input-fields.ts'
import { changes } from './operation.ts'

export const locationId = idField('loc', 'a location')
export const oneGateway = z.strictObject({ merchantId, gatewayId: idField('gw', 'a gateway') })

export const brokerUrl = z
  .string()
  .regex(/^(mqtts?|wss?):\/\/.+/, { error: 'must begin with mqtt://, mqtts://, ws:// or wss://' })
  .refine(isGuardedUrl, {
    error: 'must begin with mqtts:// or wss://: the password goes there; plain only on this machine',
  })

export const GATEWAY_OPERATIONS = {
  'gateways.code': changes(
    'A claim code for a location: typed into a box within 15 minutes, it makes that box a gateway',
    z.strictObject({ merchantId, locationId, name: plainName.default('Kitchen') }),
    { right: 'kitchen', isSecret: true },
  ),
  'gateways.add': changes(
    'A new gateway of a location with its pairing file, which holds its password',
    z.strictObject({ merchantId, locationId, name: plainName, brokerUrl }),
    { right: 'operator', isSecret: true },
  ),
  'gateways.rename': changes(
    'Another name for a gateway',
    oneGateway.extend({ name: plainName, seen: z.strictObject({ name: z.string() }).optional() }),
    'kitchen',
  ),
  'gateways.move': changes(
    'Let a gateway that is switched off serve another location of the merchant',
    oneGateway.extend({ locationId, seen: z.strictObject({ locationId: z.string() }).optional() }),
    'kitchen',
  ),
  'gateways.rotate': changes(
    'Another password for a gateway; the present one works until the gateway has used the next',
    oneGateway,
    'kitchen',
  ),
  'gateways.revoke': changes(
    "Take a gateway's password away; a running relay closes its connection within five seconds",
    oneGateway,
    'kitchen',
  ),
}

export interface GatewayAnswers {
  /** `code` is shown this once; `qr` is what a QR code of it holds. `gateways`: those that the location has already. */
  'gateways.code': {
    code: string
    qr: string
    expiresAt: string
    locationId: LocationId
    name: string
    gateways: { gatewayId: GatewayId; name: string }[]
  }
  'gateways.add': { gatewayId: GatewayId; pairing: Pairing }
  'gateways.rename': { gatewayId: GatewayId; name: string }
  'gateways.move': { gatewayId: GatewayId; locationId: LocationId }
  'gateways.rotate': { gatewayId: GatewayId; rotating: true }
  /** `requeued`: open jobs of it that wait for the location's next gateway, as possible duplicates. */
  'gateways.revoke': { gatewayId: GatewayId; revoked: true; requeued: number }
}
