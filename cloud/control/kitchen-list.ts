// Operations that show the kitchens of a merchant: their inputs and what they answer.
import { z } from 'zod'
import type { GatewayId, LocationId } from '#shared/ids.ts'
import type { PrinterReason, PrinterState } from '#shared/print-job.ts'
import type { GatewayResource } from '#shared/wire/api/gateways.ts'
import { idField, merchantId } from './input-fields.ts'
import type { KitchenCondition } from './kitchen-condition.ts'
import { reads } from './operation.ts'
import type { ProposalAnswer } from './printer-list.ts'

const scope = 'printers:control'

export const KITCHEN_OPERATIONS = {
  'kitchens.list': reads(
    'The kitchens of a merchant with their boxes and printers, worst first',
    z.strictObject({ merchantId }),
    { right: 'kitchen', scope },
  ),
  'kitchens.get': reads(
    'One box with everything that is known of it',
    z.strictObject({ merchantId, gatewayId: idField('gw', 'a gateway') }),
    { right: 'kitchen', scope },
  ),
}

export interface KitchenAnswer {
  gatewayId: GatewayId
  name: string
  locationId: LocationId
  locationName: string
  /** The kitchen that the sandbox simulates. */
  simulated: boolean
  /** What is most wrong with it. */
  condition: KitchenCondition
  presence: 'online' | 'offline' | 'unknown'
  /** Null: never. */
  lastSeenAt: string | null
  pairedAt: string
  version: string | null
  hardware: string | null
  /** How far its clock is ahead of the relay's. */
  clockSkewMs: number | null
  /** Its queue by its last report. */
  queue: GatewayResource['queue']
  /** Tickets that it was sent and has not reported a result for. */
  open: number
  /** Tickets of its location that no box has yet: those of all its boxes. */
  waiting: number
  /** When its newest ticket came onto paper. */
  lastPrintAt: string | null
  stations: GatewayResource['stations']
  health: GatewayResource['health']
  /** Another password was asked for, and is not in use yet. */
  rotating: boolean
  printers: KitchenPrinter[]
}

/** One that the box has, one that the cloud proposes, or both. */
export interface KitchenPrinter {
  /** The box's own id of it; null: it has not taken it yet. */
  printerId: string | null
  name: string
  stations: string[]
  isDefault: boolean
  /** As far as it is known: that of a printer behind a silent box is not. */
  state: PrinterState
  reasons: PrinterReason[]
  /** Name of the printer by which its tickets come out now. */
  standIn: string | null
  /** The cloud's proposal; null: it was set up on the box. */
  proposal: ProposalAnswer | null
}

export interface KitchenPlace {
  locationId: LocationId
  name: string
  isDefault: boolean
  /** Boxes that may connect, and the simulated kitchen. */
  kitchens: number
  waiting: number
}

export interface KitchenAnswers {
  'kitchens.list': {
    kitchens: KitchenAnswer[]
    /** The default one first. */
    locations: KitchenPlace[]
    /** Codes that wait for their box. */
    codes: { locationId: LocationId; name: string; expiresAt: string }[]
    /** The relay's clock. */
    time: string
  }
  'kitchens.get': KitchenAnswer
}
