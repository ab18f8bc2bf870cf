// Where a device went that is known by its hardware address. Pure.
import type { FoundPrinter } from './found-printer.ts'

/** The addresses at which the device was found. Several: nobody knows which is the right one, so a person must look. */
export function addressesOfMac(found: readonly FoundPrinter[], mac: string): string[] {
  return [...new Set(found.filter((one) => one.mac === mac).map(({ address }) => address))]
}
