// How a line of an order reaches the kitchen now, from its gateway's reports: by its routing, by its stations, or by its printers. Pure.
import type { Kitchen, KitchenPrinter } from '#cloud/storage/print-job-store.ts'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import { fold, type Route } from '#shared/tickets/route.ts'
import type { RoutedLine, RoutedOrder } from '#shared/tickets/route-item.ts'
import { routeStation } from '#shared/tickets/route-job.ts'
import { printersOfLine } from '#shared/tickets/station-printers.ts'
import type { GatewayRouting } from '#shared/wire/gateway-routing.ts'
import type { StationWay } from '#shared/wire/gateway-standing.ts'

export type LineWay = Pick<NonNullable<StationWay['way']>, 'kind' | 'name'>

/** Null: by none. */
export function wayOfLine(line: RoutedLine, order: RoutedOrder, kitchen: Kitchen): LineWay | null {
  const { routing, stations, printers } = kitchen
  if (routing !== null) return wayByRouting(line, order, { routing, printers })
  const told = stations === null ? undefined : toldOf(stations, line.station)
  if (told) return told.way
  const printer = routeStation(line.station, printers)
  return printer === null || printer.state === 'offline' ? null : { kind: 'printer', name: printer.name }
}

/** The printers that the gateway will choose, by its rules; the first that can print now counts, a screen only after them. */
function wayByRouting(
  line: RoutedLine,
  order: RoutedOrder,
  { routing, printers }: { routing: GatewayRouting; printers: readonly KitchenPrinter[] },
): LineWay | null {
  const nameOf = (id: string) => printers.find(({ printerId }) => printerId === id)?.name ?? id
  for (const { printerId } of printersOfLine(line, order, chosenFrom(routing, printers))) {
    const by = routing.printers.find(({ id }) => id === printerId)?.by ?? null
    if (by !== null) return { kind: by === printerId ? 'printer' : 'backup', name: nameOf(by) }
  }
  return toldOf(routing.screens, line.station)?.way ?? null
}

/** As the gateway's own router gets them. */
function chosenFrom({ printers: told, rules }: GatewayRouting, printers: readonly KitchenPrinter[]) {
  const routes = told.flatMap(({ id, orders }): Route[] => {
    const known = printers.find(({ printerId }) => printerId === id)
    const papers = orders ? (['kitchen'] as const) : []
    return known ? [{ ...known, settings: { ...DEFAULT_PRINTER_SETTINGS, papers: [...papers] } }] : []
  })
  return {
    printers: routes,
    rules: rules.map(({ when, to, stop }) => ({
      // Conditions that this relay does not support match none of its orders.
      ...{ name: '', when: when as object, stop },
      print: { printerIds: to, paper: 'kitchen' as const },
    })),
  }
}

function toldOf(stations: readonly StationWay[], station: string | null): StationWay | undefined {
  return stations.find((one) => isSame(one.station, station)) ?? stations.find((one) => one.station === null)
}

function isSame(told: string | null, station: string | null): boolean {
  return told !== null && station !== null && fold(told) === fold(station)
}
