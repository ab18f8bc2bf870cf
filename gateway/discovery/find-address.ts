// Which of the devices that were found may be a printer that is gone. Evidence, never truth: whoever follows it asks the device itself. Pure.
import type { FoundPrinter } from './found-printer.ts'

export interface Candidates {
  /** Addresses at which the kernel knows the printer's hardware address. Several: a person must look. */
  byHardware: readonly string[]
  /** Addresses of which the kernel knows no hardware address, and that may be it by what is claimed there: anybody can claim anything, also for others. */
  byClaim: readonly string[]
}

/** @param hasSerial what the printer said of itself tells it from others where the kernel knows no hardware address */
export function candidatesFor(found: readonly FoundPrinter[], mac: string | null, hasSerial: boolean): Candidates {
  const of = (fits: (one: FoundPrinter) => boolean): string[] => [
    ...new Set(found.filter(fits).map(({ address }) => address)),
  ]
  const isIts = (one: FoundPrinter): boolean => mac !== null && one.mac === mac
  // Only who answers a maker's own question is asked: an office printer would print our questions.
  const speaksMakers = ({ methods }: FoundPrinter): boolean => methods.includes('epson') || methods.includes('star')
  return {
    byHardware: of(isIts),
    byClaim: of(
      (one) => one.mac === null && ((mac !== null && one.claimedMac === mac) || (hasSerial && speaksMakers(one))),
    ),
  }
}
