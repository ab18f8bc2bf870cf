// The addresses of this box's printers: as they were set up, and the IP addresses of names among them. Pure.
import type { PrinterView } from '#gateway/queue/print-queue.ts'

type Placed = Pick<PrinterView, 'host' | 'place'>

/** Whether the printer is set up with this address, or was last met there. */
export function standsAt({ host, place }: Placed, address: string): boolean {
  return host === address || place?.address === address
}

/** Every address that is a printer's. */
export function placesOf(printers: readonly Placed[]): Set<string> {
  return new Set(printers.flatMap(({ host, place }) => [host, place?.address ?? host]))
}
