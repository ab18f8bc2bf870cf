// Where a device went that is known by its hardware address. Pure.
import type { FoundPrinter } from './found-printer.ts'

/** The one address at which the device was found; null when nowhere, or at several: then a person must look. */
export function addressOfMac(found: readonly FoundPrinter[], mac: string): string | null {
  const addresses = new Set(found.filter((one) => one.mac === mac).map(({ address }) => address))
  const [address] = addresses
  return addresses.size === 1 && address !== undefined ? address : null
}
