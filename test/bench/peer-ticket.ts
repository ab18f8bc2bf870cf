// The comparison's order as a ready document, for systems that take bytes.
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import { profileFor } from '#shared/tickets/printer-profiles.ts'
import { renderJobTicket } from '#shared/tickets/render-job.ts'

const HEADER = Buffer.from([0x1b, 0x40, 0x1c, 0x2e])

/** The same as Ticketrail makes of its order; the token stands on it. */
export async function ticketOf(token: string): Promise<Uint8Array> {
  const order = {
    serviceOrderId: 'ord_1',
    orderId: token,
    merchantId: 'M',
    locationId: 'L',
    source: 'test-kiosk',
    posOrderId: null,
    queuedAtMs: Date.now(),
    fireAtMs: null,
    readyByMs: null,
    timeZone: 'America/New_York',
    items: [{ umsId: 'U', name: 'Cheeseburger', qty: 1, note: token, modifiers: [], station: null }],
  }
  const { bytes } = await renderJobTicket(
    {
      doc: { kind: 'order', order },
      part: { printerId: 'kitchen', station: null, items: [0], alsoAt: [] },
      kind: 'order',
      printerName: 'kitchen',
      marks: { possibleDuplicate: false, lateSinceMs: null, backupFrom: null },
      ticketLabel: token,
      attempt: 1,
      nowMs: Date.now(),
    },
    profileFor('epson-thermal-203', DEFAULT_PRINTER_SETTINGS),
    null,
  )
  return Buffer.concat([HEADER, bytes])
}
