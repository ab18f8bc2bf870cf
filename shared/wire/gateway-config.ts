// The configuration that the cloud proposes to a gateway, and the gateway's answer: which printers, each field with who wrote it and when.
//
// Both sides may change a printer. Each field is a register of its own: the later write wins, by the relay's clock, and the loser is told
// to people on both sides. An old document applied again changes nothing, so delivery may repeat and reorder.
import { z } from 'zod'
import { heldInstant } from '#shared/instant.ts'
import { printableName } from '#shared/printable-name.ts'

/** Of the whole document as text. */
export const CONFIG_MAX_BYTES = 12_288
export const CONFIG_MAX_PRINTERS = 32

/** Fields that the cloud may write. Host and port belong together: half of a new address would be a wrong address. */
export const CONFIG_FIELDS = ['name', 'address', 'profileId', 'stations'] as const
export type ConfigField = (typeof CONFIG_FIELDS)[number]

const who = z.string().min(1).max(64)
const at = heldInstant
const written = <T extends z.ZodType>(value: T) => z.object({ value, at, by: who })

export const printerAddress = z.object({
  host: z.string().regex(/^\d{1,3}(\.\d{1,3}){3}$/, { error: 'must be an IPv4 address such as 192.168.1.50' }),
  port: z.number().int().min(1).max(65_535),
})
export type PrinterAddress = z.infer<typeof printerAddress>

/** What each field may hold. */
export const configValues = z.object({
  name: printableName,
  address: printerAddress,
  profileId: z.string().regex(/^[a-z0-9-]{1,40}$/, { error: 'must be the id of a profile' }),
  stations: z.array(z.string().trim().min(1).max(64)).max(16),
})
export type ConfigValues = z.infer<typeof configValues>

export const cloudPrinter = z.object({
  /** The cloud's id of it; the gateway gives it one of its own. */
  id: z.string().regex(/^[a-z0-9_]{1,64}$/),
  name: written(printableName),
  address: written(printerAddress),
  profileId: written(configValues.shape.profileId),
  stations: written(configValues.shape.stations),
  /** Removed in the cloud. It stays in the document, so that a gateway that was offline gets the removal. */
  removed: z.object({ at, by: who }).nullable().default(null),
})
export type CloudPrinter = z.infer<typeof cloudPrinter>

export const gatewayConfigDoc = z.object({ printers: z.array(cloudPrinter).max(CONFIG_MAX_PRINTERS * 2) })
export type GatewayConfigDoc = z.infer<typeof gatewayConfigDoc>

/** Why the gateway did not do what the cloud proposed. */
export const CONFIG_REFUSALS = [
  /** Loopback, link-local, multicast, this very box: never. */
  'address-forbidden',
  /** Not in a network of the box, nor an address that its technician has allowed. */
  'address-elsewhere',
  'port-forbidden',
  'unknown-profile',
  'name-taken',
  'too-many',
  /** Its tickets must be moved first. Tried again. */
  'tickets-wait',
  'printing',
  /** A later write on the box itself wins. */
  'changed-on-the-box',
] as const
export type ConfigRefusal = (typeof CONFIG_REFUSALS)[number]

/** Two values of one field, and which one wins. */
export const configConflict = z.object({
  field: z.enum([...CONFIG_FIELDS, 'removed']),
  stands: z.enum(['gateway', 'cloud']),
  /** As text. */
  value: z.string().max(300),
  by: z.string().max(64),
  at,
  /** What was written earlier and lost. */
  lost: z.string().max(300),
  lostBy: z.string().max(64),
  lostAt: at,
})
export type ConfigConflict = z.infer<typeof configConflict>

export const configPrinterReport = z.object({
  id: z.string().max(64),
  /** The gateway's id of it; null when it has none. */
  printerId: z.string().max(64).nullable(),
  state: z.enum(['applied', 'refused', 'removed']),
  reason: z.enum(CONFIG_REFUSALS).nullable(),
  conflicts: z.array(configConflict).max(8),
})
export type ConfigPrinterReport = z.infer<typeof configPrinterReport>

/** `config` relay -> gateway, without the envelope. `doc` is the text of a GatewayConfigDoc, so that its hash is of these very bytes. */
export const configFields = {
  ver: z.number().int().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  doc: z.string().max(CONFIG_MAX_BYTES),
}
export type ConfigMessage = { ver: number; sha256: string; doc: string }

/** `config.result` gateway -> relay, without the envelope. `refused`: the document itself could not be used. */
export const configResultFields = {
  ver: z.number().int().min(0),
  outcome: z.enum(['applied', 'refused']),
  detail: z.string().max(300).nullable(),
  printers: z.array(configPrinterReport).max(CONFIG_MAX_PRINTERS * 2),
}
export type ConfigResult = {
  ver: number
  outcome: 'applied' | 'refused'
  detail: string | null
  printers: ConfigPrinterReport[]
}
