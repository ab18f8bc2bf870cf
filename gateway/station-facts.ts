// What decides by which way each station can be served now, asked of queue, screens and routing: the same for the relay and for the health of the box.
import type { StationFacts, WayDisplay, WayPrinter } from '#gateway/kitchen/station-ways.ts'
import type { PrintQueue } from '#gateway/queue/print-queue.ts'
import type { DisplayRecord, DisplayStore } from '#gateway/storage/display-store.ts'
import type { PrinterRecord } from '#gateway/storage/printer-store.ts'
import type { RoutingRule } from '#shared/tickets/routing-rules.ts'

export interface StationSources {
  queue: Pick<PrintQueue, 'printers'>
  printers: { all(): readonly PrinterRecord[] }
  displays: Pick<DisplayStore, 'all'>
  /** Which screens are connected: gateway/kitchen/presence.ts. */
  screens: { isAlive(displayId: string): boolean }
  routing: { rules(): readonly RoutingRule[] }
}

/** As of now. A printer without a line in the queue, which is stopped then, is left out. */
export function stationFacts(sources: StationSources): StationFacts {
  const { queue, printers, displays, screens, routing } = sources
  const views = new Map(queue.printers().map((view) => [view.printerId, view]))
  return {
    printers: printers.all().flatMap((record): WayPrinter[] => {
      const view = views.get(record.printerId)
      if (!view) return []
      const { state, isPaused, ticketsGoTo } = view
      return [{ ...record, state, isPaused, ticketsGoTo }]
    }),
    displays: displays
      .all()
      .filter(({ kind }) => kind === 'kitchen')
      .map((display) => wayDisplay(display, screens)),
    rules: routing.rules(),
  }
}

function wayDisplay(display: DisplayRecord, screens: StationSources['screens']): WayDisplay {
  const { displayId, name, stations, claimedAtMs, backupPrinterId } = display
  return {
    ...{ displayId, name, stations },
    isAlive: screens.isAlive(displayId),
    // What was never switched on is not missed.
    backupPrinterId: claimedAtMs === null ? null : backupPrinterId,
  }
}
