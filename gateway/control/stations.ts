// The stations of this kitchen: the printers and screens of each one's lines, and stations without any. Pure.
import type { PrinterRecord } from '#gateway/storage/printer-store.ts'
import type { SeenStation } from '#gateway/storage/station-lines.ts'
import { isOfCooks, printerWork } from '#shared/tickets/printer-work.ts'
import { defaultOf, fold, kitchenRoutes, prints, serves } from '#shared/tickets/route.ts'
import type { RoutingRule } from '#shared/tickets/routing-rules.ts'
import { printersOf } from '#shared/tickets/station-printers.ts'
import type {
  PaperBy,
  StationAnswer,
  StationFault,
  StationPrinter,
  StationRule,
  StationScreen,
  StationsAnswer,
} from './station-answers.ts'

export interface StationFacts {
  /** The default one first. */
  printers: readonly Pick<PrinterRecord, 'printerId' | 'name' | 'stations' | 'isDefault' | 'settings'>[]
  /** Screens on which cooks work. */
  displays: readonly {
    displayId: string
    name: string
    stations: readonly string[]
    backupPrinterId: string | null
  }[]
  rules: readonly RoutingRule[]
  /** Lines of the last seven days. */
  seen: readonly SeenStation[]
}

export function stationsOf(facts: StationFacts): StationsAnswer {
  const { printers, rules, seen } = facts
  const rest = defaultOf(kitchenRoutes(printers))
  const stations = namesOf(facts).map((name) => stationOf(name, facts))
  return {
    stations: stations.map((station) => ({ ...station, like: likeOf(station, stations) })),
    rest: { lines: seen.find(({ station }) => station === '')?.lines ?? 0, printerId: rest?.printerId ?? null },
    printers: printers.map((printer) => printerOf(printer, facts)),
    displays: facts.displays.map((display) => screenOf(display, facts, stations)),
    rules: rules.map((rule, index) => ruleOf(rule, { index, ...facts })),
  }
}

/** Every station that a printer, a screen, a rule or an order names, each once; those that choose the paper of print jobs are none. */
export function namesOf({ printers, displays, rules, seen }: StationFacts): string[] {
  const names = new Map<string, string>()
  const found = [
    ...[...printers, ...displays].flatMap(({ stations }) => stations),
    ...rules.flatMap(({ when }) => when.station ?? []),
    ...seen.map(({ station }) => station),
  ]
  for (const name of found) if (isOfCooks(name) && !names.has(fold(name))) names.set(fold(name), name.trim())
  return [...names.values()]
}

/** A rule that only adds printers to a station: its lines also at these printers. */
export function isAlsoRule({ when, print, stop }: RoutingRule): boolean {
  const { station, paper, ...more } = when
  if (station === undefined || (paper !== undefined && paper !== 'kitchen') || stop) return false
  const isPlain = print.copies === undefined && print.split === undefined && print.station === undefined
  return isPlain && print.paper === 'kitchen' && Object.values(more).every((value) => value === undefined)
}

function stationOf(name: string, facts: StationFacts): StationAnswer {
  const { printers, displays, rules, seen } = facts
  const key = fold(name)
  const paper = paperOf(name, facts)
  const screens = displays.flatMap(({ displayId, stations }): StationAnswer['screens'] => {
    if (stations.length === 0) return [{ displayId, by: 'expo' }]
    return stations.some((one) => fold(one) === key) ? [{ displayId, by: 'station' }] : []
  })
  const served = printers.filter((printer) => serves(printer, name) && prints(printer, 'kitchen'))
  const faults: StationFault[] = []
  const isWithTheRest = paper.every(({ by }) => by === 'default')
  // Where one printer prints all, there is nothing to choose.
  const hasChoice = kitchenRoutes(printers).length > 1
  if (isWithTheRest && screens.length === 0 && (hasChoice || displays.length > 0)) faults.push('no-place')
  else if (isWithTheRest && hasChoice) faults.push('no-printer')
  if (displays.length > 0 && screens.length === 0) faults.push('no-screen')
  return {
    name,
    lines: seen.find(({ station }) => fold(station) === key)?.lines ?? 0,
    paper,
    passedOver: served.filter(({ printerId }) => !paper.some((one) => one.printerId === printerId)).map(idOf),
    screens,
    rules: rules
      .filter(({ when }) => when.station !== undefined && fold(when.station) === key)
      .map((rule) => rule.name),
    faults,
    like: null,
  }
}

function paperOf(station: string, { printers, rules }: StationFacts): StationAnswer['paper'] {
  const got = printersOf(station, { printers, rules })
  const first = kitchenRoutes(printers).find((printer) => serves(printer, station))
  const asked = rules.filter((rule) => holdsFor(rule, station))
  return printers
    .filter((printer) => got.includes(printer))
    .map(({ printerId }) => {
      const naming = asked.filter(({ print }) => print.printerIds.includes(printerId))
      return { printerId, by: first?.printerId === printerId ? 'station' : reasonOf(naming) }
    })
}

/** It asks for no more than the station. */
function holdsFor({ when, print }: RoutingRule, station: string): boolean {
  const { station: asked, paper, ...more } = when
  const isOfOrders = print.paper === 'kitchen' && (paper === undefined || paper === 'kitchen')
  const isOfStation = asked === undefined || fold(asked) === fold(station)
  return isOfOrders && isOfStation && Object.values(more).every((value) => value === undefined)
}

/** @param naming the rules that send a line of the station to the printer */
function reasonOf(naming: readonly RoutingRule[]): PaperBy {
  if (naming.some(isAlsoRule)) return 'also'
  return naming.length > 0 ? 'rule' : 'default'
}

/** A name that nothing serves, or that no order uses, next to one that is served or used. */
function likeOf(station: StationAnswer, all: readonly StationAnswer[]): string | null {
  const near = all.filter(({ name }) => isNearMiss(name, station.name))
  const isServed = ({ paper }: StationAnswer): boolean => paper.some(({ by }) => by !== 'default')
  const better = near.find((other) => {
    if (other.lines !== station.lines && (other.lines === 0 || station.lines === 0)) return station.lines === 0
    return isServed(other) && !isServed(station)
  })
  // With lines of both there is no saying which one is meant: the one without a place is the slip.
  return better?.name ?? null
}

function printerOf(printer: StationFacts['printers'][number], facts: StationFacts): StationPrinter {
  const { printerId, name, isDefault } = printer
  const work = printerWork(printerId, facts)
  return { printerId, name, isDefault, work, backups: backupsOf(printer, facts.printers) }
}

/** By name; the last is the printer itself where they go in a circle. */
function backupsOf(printer: StationFacts['printers'][number], printers: StationFacts['printers']): string[] {
  const chain = [printer]
  for (;;) {
    const next = printers.find(({ printerId }) => printerId === chain.at(-1)?.settings.backupPrinterId)
    if (next === undefined) break
    const isSeen = chain.includes(next)
    chain.push(next)
    if (isSeen) break
  }
  return chain.slice(1).map(({ name }) => name)
}

function screenOf(
  { displayId, name, stations }: StationFacts['displays'][number],
  { printers }: StationFacts,
  all: readonly StationAnswer[],
): StationScreen {
  const isExpo = stations.length === 0
  const mine = all.filter((station) => stations.some((one) => fold(one) === fold(station.name)))
  const isKnown = mine.some(({ paper, lines, rules }) => {
    return lines > 0 || rules.length > 0 || paper.some(({ by }) => by !== 'default')
  })
  // Where no printer names a station, the screens are the stations.
  const hasOthers = printers.some((printer) => printer.stations.some(isOfCooks))
  return {
    displayId,
    name,
    stations: [...stations],
    isExpo,
    fault: isExpo || isKnown || !hasOthers ? null : 'no-overlap',
  }
}

function ruleOf(rule: RoutingRule, { index, rules, printers }: StationFacts & { index: number }): StationRule {
  const { name, print } = rule
  const there = print.printerIds.filter((id) => printers.some(({ printerId }) => printerId === id))
  if (there.length === 0) return { name, fault: 'gone' }
  if (rules.slice(0, index).some((earlier) => earlier.stop && covers(earlier, rule))) return { name, fault: 'never' }
  return { name, fault: there.length < print.printerIds.length ? 'part-gone' : null }
}

/** Whatever the later rule asks for, the earlier one takes it first. */
function covers(earlier: RoutingRule, later: RoutingRule): boolean {
  if (earlier.print.paper !== later.print.paper) return false
  const kindOf = ({ when }: RoutingRule): string => when.paper ?? 'kitchen'
  if (kindOf(earlier) !== kindOf(later)) return false
  const { paper: _, ...asked } = earlier.when
  return Object.entries(asked).every(([field, value]) => {
    const other = later.when[field as keyof typeof asked]
    return value === undefined || (other !== undefined && fold(String(other)) === fold(String(value)))
  })
}

function idOf({ printerId }: { printerId: string }): string {
  return printerId
}

// Names of stations that look alike: a typing error makes a station that nothing serves. Pure.

/** Shorter names are unlike each other by one letter too easily: bar and car. */
const SHORTEST_FOR_A_SLIP = 4
/** From this length two slips are still a slip. */
const LONG = 8

/** @returns true when one may be meant by the other: a letter too many, too few, wrong or in the wrong place, or another way to write it */
export function isNearMiss(one: string, other: string): boolean {
  const [a, b] = [plain(one), plain(other)]
  if (fold(one) === fold(other) || a === '' || b === '') return false
  if (a === b) return true
  // Grill 1 and Grill 2 are two stations.
  if (withoutDigits(a) === withoutDigits(b)) return false
  if (a === `${b}s` || b === `${a}s`) return true
  const shortest = Math.min(a.length, b.length)
  if (shortest < SHORTEST_FOR_A_SLIP) return false
  return slips(a, b) <= (shortest < LONG ? 1 : 2)
}

/** Without accents, spaces and signs. */
function plain(name: string): string {
  return fold(name)
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function withoutDigits(name: string): string {
  return name.replaceAll(/\p{N}/gu, '')
}

/** How many letters must be put in, taken out, changed or swapped with their neighbour. */
function slips(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const at = (cells: readonly number[], index: number): number => cells[index] ?? 0
      const isSame = a[i - 1] === b[j - 1]
      const cost = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (isSame ? 0 : 1))
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next.push(isSwap ? Math.min(cost, at(before, j - 2) + 1) : cost)
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
