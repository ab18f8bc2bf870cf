// Which of the found devices may be an unreachable printer. Evidence only: the caller queries the device itself. Pure.
import type { FoundPrinter } from './found-printer.ts'

export interface Candidates {
  /** Addresses for which the kernel has the printer's hardware address. Several: a person must decide. */
  byHardware: readonly string[]
  /** Addresses without a hardware address in the kernel, which may be the printer by their claims: any device can claim anything, also for others. */
  byClaim: readonly string[]
}

/** @param hasSerial the printer's own answers identify it without a hardware address */
export function candidatesFor(found: readonly FoundPrinter[], mac: string | null, hasSerial: boolean): Candidates {
  const of = (fits: (one: FoundPrinter) => boolean): string[] => [
    ...new Set(found.filter(fits).map(({ address }) => address)),
  ]
  const isIts = (one: FoundPrinter): boolean => mac !== null && one.mac === mac
  // Only a device that answers a maker's own query gets ours: an office printer would print them.
  const speaksMakers = ({ methods }: FoundPrinter): boolean => methods.includes('epson') || methods.includes('star')
  return {
    byHardware: of(isIts),
    byClaim: of(
      (one) => one.mac === null && ((mac !== null && one.claimedMac === mac) || (hasSerial && speaksMakers(one))),
    ),
  }
}
