// The operators' operation on the gateways of all accounts: its input and answer.
import { z } from 'zod'
import type { FleetGateway, FleetVersion } from '#cloud/storage/fleet-store.ts'
import type { GatewayId } from '#shared/ids.ts'
import { text } from '#shared/wire/api/fields.ts'
import { idField } from './input-fields.ts'
import { reads } from './operation.ts'

export const FLEET_OPERATIONS = {
  'op.fleet': reads(
    'Gateways of all accounts, newest first, and how many have which version',
    z.strictObject({
      /** Only those that are not connected. */
      silent: z.boolean().default(false),
      version: text(64).optional(),
      after: idField('gw', 'a gateway').optional(),
      limit: z.number().int().min(1).max(500).default(50),
    }),
    'operator',
  ),
}

export interface FleetGatewayAnswer extends Omit<FleetGateway, 'presence' | 'lastSeenAtMs'> {
  state: FleetGateway['presence']
  lastSeenAt: string | null
}

export interface FleetAnswers {
  'op.fleet': {
    gateways: FleetGatewayAnswer[]
    next: GatewayId | null
    versions: FleetVersion[]
  }
}
