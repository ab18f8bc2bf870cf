// Stations as people set them: which printers and screens serve one, and another name for it.
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import type { PrinterRecord } from '#gateway/storage/printer-store.ts'
import { WRITTEN_HERE } from '#gateway/storage/printer-writes.ts'
import { fold, kitchenRoutes, serves } from '#shared/tickets/route.ts'
import { MOST_RULES, type RoutingRule } from '#shared/tickets/routing-rules.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'
import { unknownDisplay } from './display-operations.ts'
import { requirePrinter } from './printer-view.ts'
import type { StationsAnswer } from './station-answers.ts'
import { requireFewStations } from './station-limit.ts'
import { isAlsoRule, stationsOf } from './stations.ts'

type Operations = Pick<ControlHandlers, 'stations.list' | 'stations.assign' | 'stations.rename'>

/** What is to be written, all of it or nothing. */
interface Writes {
  printers: Map<string, readonly string[]>
  displays: Map<string, readonly string[]>
  rules: readonly RoutingRule[]
}

const LONGEST_RULE_NAME = 64

export function stationOperations(context: ControlContext): Operations {
  const list = (): Promise<StationsAnswer> => readStations(context)
  return {
    'stations.list': list,

    'stations.assign': async ({ station, printers, displays }) => {
      const writes: Writes = { printers: new Map(), displays: new Map(), rules: context.routing.rules() }
      if (printers) {
        const chosen = printers.map((named) => requirePrinter(context, named))
        givePrinters(station, { chosen, all: context.printers.all() }, writes)
      }
      if (displays) giveScreens(station, { ids: displays, all: cookScreens(context) }, writes)
      write(context, writes)
      return await list()
    },

    'stations.rename': async ({ station, name }) => {
      const { added } = context.box.guide()
      if (added.some((one) => fold(one) === fold(station)))
        context.box.changeGuide({ added: added.filter((one) => fold(one) !== fold(station)) })
      const renamed = (stations: readonly string[]): string[] => {
        const next = stations.map((one) => (fold(one) === fold(station) ? name : one))
        return next.filter((one, index) => next.findIndex((other) => fold(other) === fold(one)) === index)
      }
      const naming = <T extends { stations: readonly string[] }>(all: readonly T[]): T[] =>
        all.filter(({ stations }) => stations.some((one) => fold(one) === fold(station)))
      write(context, {
        printers: new Map(naming(context.printers.all()).map((one) => [one.printerId, renamed(one.stations)])),
        displays: new Map(naming(cookScreens(context)).map((one) => [one.displayId, renamed(one.stations)])),
        rules: context.routing
          .rules()
          .map((rule) =>
            fold(rule.when.station ?? '') === fold(station) ? { ...rule, when: { ...rule.when, station: name } } : rule,
          ),
      })
      return await list()
    },
  }
}

/** As they are now. */
export async function readStations(context: ControlContext): Promise<StationsAnswer> {
  const { box, printers, routing, stationLines, time } = context
  const added = box.guide().added.map((station) => ({ station, lines: 0 }))
  const seen = [...(await stationLines.seen(time.now())), ...added]
  return stationsOf({ printers: printers.all(), displays: cookScreens(context), rules: routing.rules(), seen })
}

/** Those on which cooks work. */
function cookScreens({ displays }: Pick<ControlContext, 'displays'>): readonly DisplayRecord[] {
  return displays.all().filter(({ kind }) => kind === 'kitchen')
}

/** The first that prints by stations serves it; for the others there is a rule each. */
function givePrinters(
  station: string,
  { chosen, all }: { chosen: readonly PrinterRecord[]; all: readonly PrinterRecord[] },
  writes: Writes,
): void {
  const willing = kitchenRoutes(all)
  const server = chosen.find((printer) => willing.includes(printer))
  for (const printer of willing) {
    const { printerId, stations } = printer
    const others = stations.filter((one) => fold(one) !== fold(station))
    if (printer !== server && others.length < stations.length) writes.printers.set(printerId, others)
    if (printer === server && !serves(printer, station)) writes.printers.set(printerId, [...stations, station])
  }
  const kept = writes.rules.filter((rule) => !isAlsoRule(rule) || fold(rule.when.station ?? '') !== fold(station))
  const also = [...new Set(chosen)].filter((printer) => printer !== server)
  const added = also.map(({ printerId, name }): RoutingRule => {
    const when = { station }
    return { name: freeName(`${station} also at ${name}`, kept), when, print: printAt(printerId), stop: false }
  })
  // First: no other rule may end the way before them.
  writes.rules = [...added, ...kept]
}

function printAt(printerId: string): RoutingRule['print'] {
  return { printerIds: [printerId], paper: 'kitchen' }
}

function freeName(wanted: string, rules: readonly RoutingRule[]): string {
  const isTaken = (name: string): boolean => rules.some((rule) => fold(rule.name) === fold(name))
  for (let n = 1; ; n++) {
    const end = n === 1 ? '' : ` ${n}`
    const name = wanted.slice(0, LONGEST_RULE_NAME - end.length).trim() + end
    if (!isTaken(name)) return name
  }
}

/** Expo shows every station anyway. */
function giveScreens(
  station: string,
  { ids, all }: { ids: readonly string[]; all: readonly DisplayRecord[] },
  writes: Writes,
): void {
  for (const id of ids) if (!all.some(({ displayId }) => displayId === id)) throw unknownDisplay(id)
  for (const { displayId, name, stations } of all) {
    const others = stations.filter((one) => fold(one) !== fold(station))
    const shows = others.length < stations.length
    if (stations.length === 0 || shows === ids.includes(displayId)) continue
    if (!shows) writes.displays.set(displayId, [...stations, station])
    else if (others.length > 0) writes.displays.set(displayId, others)
    else
      throw new ControlRefusal(
        'refused',
        `${station} is the only station of display ${name}: without one it would show everything. Give it another station first, or make it show everything.`,
        { said: { key: 'station.last-of-display', values: { station, display: name } } },
      )
  }
}

function write(
  { atomically, printers, displays, routing, queue, time }: ControlContext,
  { printers: ofPrinters, displays: ofDisplays, rules }: Writes,
): void {
  if (rules.length > MOST_RULES)
    throw new ControlRefusal('refused', `A box has at most ${MOST_RULES} rules: take one away first.`, {
      said: { key: 'routing.too-many-rules', values: { most: MOST_RULES } },
    })
  for (const [printerId, stations] of ofPrinters)
    requireFewStations(printers.find(printerId)?.name ?? printerId, stations)
  for (const [displayId, stations] of ofDisplays)
    requireFewStations(displays.find(displayId)?.name ?? displayId, stations)
  const by = { who: WRITTEN_HERE, atMs: time.now() }
  atomically(() => {
    for (const [printerId, stations] of ofPrinters) printers.update(printerId, { stations }, by)
    for (const [displayId, stations] of ofDisplays) displays.update(displayId, { stations })
    if (rules !== routing.rules()) routing.save(rules)
  })
  queue.printersWereWritten()
}
