// The gateway's messages to a relay of an older version, with the values that it supports. Pure.
import { CAP_ANOTHER_PRINTER, type PrinterReport } from '#shared/wire/gateway-link.ts'

/** @param caps of the relay's welcome; a relay without a printer reason would refuse the whole status */
export function reportsFor(caps: readonly string[], printers: readonly PrinterReport[]): PrinterReport[] {
  if (caps.includes(CAP_ANOTHER_PRINTER)) return [...printers]
  return printers.map((printer) => ({
    ...printer,
    reasons: printer.reasons.map((reason) => (reason === 'another-printer' ? 'not-responding' : reason)),
  }))
}
