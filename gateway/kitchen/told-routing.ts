// The routing in the status for the relay, when stations alone do not determine how a line is served. Pure.

import { prints } from '#shared/tickets/route.ts'
import type { RoutingRule } from '#shared/tickets/routing-rules.ts'
import { type GatewayRouting, MOST_ROUTING_CHARS } from '#shared/wire/gateway-routing.ts'
import { knownStations, type StationFacts, wayByScreen, wayThrough } from './station-ways.ts'

/** Null: no rule has other conditions than the station, so that `stationWays` is sufficient; or the rules are too long to be sent. */
export function toldRouting(facts: StationFacts): GatewayRouting | null {
  const rules = facts.rules.filter(isForKitchen)
  if (!rules.some(asksForMore)) return null
  const routing: GatewayRouting = {
    printers: facts.printers.map((printer) => ({
      id: printer.printerId,
      orders: prints(printer, 'kitchen'),
      by: wayThrough(printer, facts.printers)?.id ?? null,
    })),
    rules: rules.map(({ when: { paper: _, ...when }, print, stop }) => ({ when, to: print.printerIds, stop })),
    screens: screensOf(facts),
  }
  return JSON.stringify(routing).length > MOST_ROUTING_CHARS ? null : routing
}

/** Stations that go the way of the rest are left out. */
function screensOf(facts: StationFacts): GatewayRouting['screens'] {
  const rest = wayByScreen(null, facts)
  const others = knownStations(facts).map((station) => ({ station, way: wayByScreen(station, facts) }))
  const unlike = others.filter(({ way }) => way?.kind !== rest?.kind || way?.id !== rest?.id)
  return [...unlike, { station: null, way: rest }]
}

function isForKitchen({ when, print }: RoutingRule): boolean {
  return (when.paper === undefined || when.paper === 'kitchen') && print.paper === 'kitchen'
}

function asksForMore({ when: { station: _, paper: __, ...more } }: RoutingRule): boolean {
  return Object.values(more).some((wanted) => wanted !== undefined)
}
