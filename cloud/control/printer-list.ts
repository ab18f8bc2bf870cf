// Operations on printers that the cloud proposes to a gateway by their addresses: their inputs and what they answer.
import { z } from 'zod'
import type { GatewayId } from '#shared/ids.ts'
import type { PrintJobResource } from '#shared/wire/api/printing.ts'
import { type ConfigConflict, type ConfigRefusal, configValues } from '#shared/wire/gateway-config.ts'
import { oneGateway } from './gateway-list.ts'
import { merchantId } from './input-fields.ts'
import { changes, reads } from './operation.ts'

/** A box of an older version refuses the whole document when a name has one of these signs. */
export const printerName = configValues.shape.name.regex(/^[^=@/,]+$/u, {
  error: 'must be a name without = @ / , because boxes of older versions take no others',
})
export const proposedPrinterId = z
  .string()
  .regex(/^cp_[0-9a-z]{26}$/, { error: 'must be the id of a proposed printer' })
export const { address: printerAddress, profileId: printerProfileId, stations: printerStations } = configValues.shape
/** The author, for the operator's command line. For a person their own name is used instead. */
export const changedBy = z.string().min(1).max(40)

const onePrinter = oneGateway.extend({ printerId: proposedPrinterId, by: changedBy.optional() })

export const PRINTER_OPERATIONS = {
  'printers.list': reads(
    'Printers that the cloud proposes to a gateway, and what became of them there',
    oneGateway,
    'kitchen',
  ),
  'printers.profiles': reads('Families of printers that boxes know', z.strictObject({ merchantId }), 'kitchen'),
  'printers.add': changes(
    'Propose a printer to a gateway by its address; the gateway checks the address by its own rules',
    oneGateway.extend({
      name: printerName,
      address: printerAddress,
      profile: printerProfileId.default('generic-80'),
      stations: printerStations.default([]),
      by: changedBy.optional(),
    }),
    'kitchen',
  ),
  'printers.set': changes(
    'Change a proposed printer; what is not named stays',
    onePrinter.extend({
      name: printerName.optional(),
      address: printerAddress.optional(),
      profile: printerProfileId.optional(),
      stations: printerStations.optional(),
      /** As `printers.list` shows them. */
      seen: z
        .strictObject({ name: z.string(), address: z.string(), profile: z.string(), stations: z.string() })
        .partial()
        .optional(),
    }),
    'kitchen',
  ),
  'printers.remove': changes(
    'Take a proposed printer away; the gateway does so once no ticket waits for it',
    onePrinter,
    'kitchen',
  ),
  'printers.test': changes(
    'Print a ticket with a number that is found again on paper',
    z.strictObject({ merchantId, printerId: z.string().min(1).max(64) }),
    { right: 'kitchen', scope: 'printers:control' },
  ),
  'printers.tested': reads(
    'What became of a test ticket',
    z.strictObject({ merchantId, printJobId: z.string().max(64) }),
    { right: 'kitchen', scope: 'printers:control' },
  ),
}

export interface ProposedPrinter {
  id: string
  name: string
  /** `192.168.1.50:9100` */
  address: string
  profile: string
  /** With commas between. */
  stations: string
  removed: boolean
}

export interface ProposalAnswer extends ProposedPrinter {
  state: 'waiting' | 'applied' | 'refused' | 'removed'
  reason: ConfigRefusal | null
  /** The gateway's own id of it. */
  printerId: string | null
  conflicts: ConfigConflict[]
}

export interface ConfigAnswer {
  gatewayId: GatewayId
  /** 0: nothing was ever proposed. */
  version: number
  /** Of which version the gateway has spoken. */
  answered: number | null
  printers: ProposalAnswer[]
}

/** After a change. */
export type PrinterChanged = ProposedPrinter & { gatewayId: GatewayId; version: number }

export interface PrinterAnswers {
  'printers.list': ConfigAnswer
  'printers.profiles': { id: string; vendor: string; models: string[] }[]
  'printers.add': PrinterChanged
  'printers.set': PrinterChanged
  'printers.remove': PrinterChanged
  /** `waits`: the printer cannot be reached now, and prints it when it is back. */
  'printers.test': { printJobId: string; number: string; printerName: string; waits: boolean }
  'printers.tested': PrintJobResource
}
