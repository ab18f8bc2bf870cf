// Stations without a printer or a screen, and those whose orders nothing takes while a printer is down. Pure.
import { wayOf } from '#gateway/kitchen/station-ways.ts'
import type { SeenStation } from '#gateway/storage/station-lines.ts'
import type { Finding, FindingAct, FindingSubject } from '#shared/health.ts'
import { fold, serves } from '#shared/tickets/route.ts'
import { printersOf } from '#shared/tickets/station-printers.ts'
import { cost, doing, finding, opening } from './finding.ts'
import type { DisplayFacts, HealthFacts, PrinterFacts } from './health-facts.ts'

type Kitchen = Pick<HealthFacts, 'printers' | 'displays' | 'stations' | 'ways'>

const ROUTING = opening('open-stations', '/routing')

/** Of stations with recent lines: a name that is only in a setting is no problem. */
export function stationFindings(facts: Kitchen): Finding[] {
  return facts.stations.flatMap((seen) => (fold(seen.station) === '' ? [] : oneFindings(seen, facts)))
}

/** Stations whose lines nothing takes now, and which would print here. */
export function refusedStations(
  { printerId }: Pick<PrinterFacts, 'printerId'>,
  { stations, ways }: Pick<HealthFacts, 'stations' | 'ways'>,
): string[] {
  const named = ways.printers.find((one) => one.printerId === printerId)?.stations ?? []
  const known = new Map([...named, ...stations.map(({ station }) => station)].map((name) => [fold(name), name]))
  known.delete('')
  return [...known.values()].filter(
    (station) => printersOf(station, ways).some((one) => one.printerId === printerId) && wayOf(station, ways) === null,
  )
}

function oneFindings({ station, lines }: SeenStation, { printers, displays, ways }: Kitchen): Finding[] {
  const key = fold(station)
  const printer = printers.find((one) => serves(one, station))
  const isRouted =
    ways.rules.some(({ when }) => when.station !== undefined && fold(when.station) === key) ||
    printersOf(station, ways).some(({ isDefault }) => !isDefault)
  const isShown = displays.some(({ stations }) => stations.length === 0 || stations.some((name) => fold(name) === key))
  if (isShown) return []
  const subject: FindingSubject = { kind: 'station', id: key, name: station }
  const first = printers.find(({ isDefault }) => isDefault) ?? printers[0]
  if (!printer && !isRouted && first) {
    const stations = [...first.stations, station]
    return [
      finding('station-unserved', {
        ...{ subject, severity: 'warning', values: { station, printer: first.name } },
        cost: cost('lines-elsewhere', lines),
        act: doing('serve-station', {
          operation: 'printers.update',
          input: { printer: first.printerId, stations },
          values: { printer: first.name, station },
        }),
      }),
    ]
  }
  const screen = fitScreen(displays)
  if (!screen) return []
  return [
    finding('station-no-screen', {
      ...{ subject, severity: 'advice', values: { station } },
      cost: cost('lines-elsewhere', lines),
      act: assigned(screen, station),
    }),
  ]
}

/** A screen that was set up for the kitchen; the first that is connected. */
function fitScreen(displays: readonly DisplayFacts[]): DisplayFacts | undefined {
  const used = displays.filter(({ signedInAt }) => signedInAt !== null)
  return used.find(({ isAlive }) => isAlive) ?? used[0]
}

function assigned({ displayId, name, stations }: DisplayFacts, station: string): FindingAct {
  if (stations.length >= 64) return ROUTING
  return doing('assign-screen', {
    operation: 'displays.update',
    input: { displayId, stations: [...stations, station] },
    values: { display: name, station },
  })
}
