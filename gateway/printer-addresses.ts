// The rule of allowed printer addresses, made of settings, database and this machine's own addresses; and the identification of a device under it.
import { networkInterfaces } from 'node:os'
import type { GatewayConfig } from '#gateway/config.ts'
import { rangeOfPrinters } from '#gateway/control/cloud-address-policy.ts'
import { PrinterAddressPolicy } from '#gateway/control/printer-address-policy.ts'
import { type IdentifyOptions, type Identity, identifyPrinter } from '#gateway/printers/identify-printer.ts'
import { channelTo } from '#gateway/printers/open-transport.ts'
import { addressesOf } from '#gateway/printers/tcp-channel.ts'
import { AllowedAddressStore } from '#gateway/storage/allowed-address-store.ts'
import type { GatewayDatabase } from '#gateway/storage/database.ts'
import type { PrinterStore } from '#gateway/storage/printer-store.ts'
import type { Logger } from '#shared/log.ts'

/** Called before the settings add printers: addresses in use when a box gets this rule were set up without it, and stay allowed. */
export function printerAddresses(
  config: GatewayConfig,
  { db, printers, log }: { db: GatewayDatabase; printers: PrinterStore; log: Logger },
): PrinterAddressPolicy {
  const searched = config.GATEWAY_DISCOVERY_NETWORKS.map(rangeOfPrinters)
  return new PrinterAddressPolicy({
    ...{ interfaces: networkInterfaces, resolve: addressesOf, log },
    ranges: [...config.GATEWAY_ALLOWED_PRINTERS, ...config.GATEWAY_CLOUD_PRINTERS, ...searched],
    named: config.GATEWAY_PRINTERS,
    store: new AllowedAddressStore(db, printers.all()),
  })
}

/** Identifies the device there, if a connection is allowed. Never rejects. */
export function identifyAt(
  { host, port, isAllowed }: { host: string; port: number; isAllowed?: boolean },
  addresses: Pick<PrinterAddressPolicy, 'allows'>,
  options: Omit<IdentifyOptions, 'openChannel'>,
): Promise<Identity> {
  const address = { host, port }
  const openChannel = channelTo(address, (ip) => isAllowed === true || addresses.allows(address, ip))
  return identifyPrinter({ ...options, openChannel })
}
