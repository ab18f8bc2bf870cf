// How each station can be served now: by its printer, by a backup of it, by a connected screen, or by nothing. Pure.
import type { PrinterState } from '#shared/print-job.ts'
import { fold, type Route } from '#shared/tickets/route.ts'
import type { RoutingRule } from '#shared/tickets/routing-rules.ts'
import { printersOf } from '#shared/tickets/station-printers.ts'
import { showsStation } from '#shared/wire/kitchen-acts.ts'

/** A printer, as its queue sees it. */
export interface WayPrinter extends Route {
  /** `unknown` (no status yet) counts as ready. */
  state: PrinterState
  /** A person has stopped it: its tickets wait, and no backup takes them. */
  isPaused: boolean
  /** The printer with its tickets during an outage; absent or its own id: the printer itself. */
  ticketsGoTo?: string
}

/** A screen on which cooks work; one that shows guests their numbers is none. */
export interface WayDisplay {
  displayId: string
  name: string
  /** Empty: expo, which shows every station. */
  stations: readonly string[]
  /** It shows what comes now. */
  isAlive: boolean
  /** Prints what this screen does not show while it is silent; null or absent: none. */
  backupPrinterId?: string | null
}

type Backed = Pick<Route, 'printerId'> & { settings?: Pick<NonNullable<Route['settings']>, 'backupPrinterId'> }

export interface StationFacts {
  /** The default one first, as the router gets them. */
  printers: readonly WayPrinter[]
  displays: readonly WayDisplay[]
  rules: readonly RoutingRule[]
}

/** By what a line comes into the kitchen: its own printer, another one that takes over, or a screen. */
export interface Way {
  kind: 'printer' | 'backup' | 'display'
  /** Of the printer or the display. */
  id: string
  name: string
}

export interface StationWay {
  /** As it is written where it was found first. Null: lines without a station, and of every station that is not listed. */
  station: string | null
  /** Null: nothing here can take its lines now. */
  way: Way | null
}

/**
 * Each station that a printer, a screen or a rule names, each once without regard to case, and the rest last.
 *
 * The line of a station goes where the router sends it: the first of these printers that prints counts (the station's own before a copy
 * by a rule), each one's backups after it. If none prints, a connected screen that shows the line; then the printer for a silent screen.
 * Rules with other conditions than the station (category, item, source, order type, course, location) are ignored here: they send some
 * lines of a station elsewhere, which `toldRouting` contains.
 */
export function stationWays(facts: StationFacts): StationWay[] {
  return [...knownStations(facts), null].map((station) => ({ station, way: wayOf(station, facts) }))
}

/** The way of one station. An unknown name is treated like the rest. */
export function wayOf(station: string | null, facts: StationFacts): Way | null {
  const { printers } = facts
  for (const meant of printersOf(station, facts)) {
    const way = wayThrough(meant, printers)
    if (way) return way
  }
  return wayByScreen(station, facts)
}

/** Those that a printer, a screen or a rule names, each once. */
export function knownStations({ printers, displays, rules }: StationFacts): string[] {
  const names = new Map<string, string>()
  const found = [
    ...[...printers, ...displays].flatMap(({ stations }) => stations),
    ...rules.flatMap(({ when }) => when.station ?? []),
  ]
  for (const name of found) if (fold(name) !== '' && !names.has(fold(name))) names.set(fold(name), name)
  return [...names.values()]
}

/** The output for a ticket that is meant for this printer: itself or a backup; null: it waits. */
export function wayThrough(meant: WayPrinter, printers: readonly WayPrinter[]): Way | null {
  const holderId = meant.ticketsGoTo ?? meant.printerId
  const holder = printers.find(({ printerId }) => printerId === holderId) ?? meant
  if (isWell(holder)) return printed(holder === meant ? 'printer' : 'backup', holder)
  // It prints again: what waits elsewhere comes home.
  if (isWell(meant)) return printed('printer', meant)
  // What waits at a printer that a person has stopped stays there.
  if (holder.isPaused) return null
  const next = backupsOf(meant, printers).find((one) => isWell(one) && !isAbsent(one))
  return next ? printed('backup', next) : null
}

/** The chain of a printer's backups, without itself; each once. */
export function backupsOf<P extends Backed>(meant: P, printers: readonly P[]): P[] {
  const chain = [meant]
  for (;;) {
    const backupId = chain.at(-1)?.settings?.backupPrinterId ?? null
    const next = printers.find(({ printerId }) => printerId === backupId)
    if (next === undefined || chain.includes(next)) return chain.slice(1)
    chain.push(next)
  }
}

/** By a connected screen that shows the station's lines, otherwise by the printer for a silent one. */
export function wayByScreen(
  station: string | null,
  { displays, printers }: Pick<StationFacts, 'displays' | 'printers'>,
): Way | null {
  const key = fold(station ?? '')
  const served = displays.flatMap(({ stations }) => stations.map(fold))
  const showing = displays.filter(({ stations }) => showsStation({ stations: stations.map(fold) }, served, key))
  const own = (display: WayDisplay) => display.stations.some((name) => fold(name) === key)
  const alive = showing.filter(({ isAlive }) => isAlive)
  const screen = alive.find(own) ?? alive[0]
  if (screen) return { kind: 'display', id: screen.displayId, name: screen.name }
  for (const { backupPrinterId } of showing) {
    const behind = printers.find(({ printerId }) => printerId === backupPrinterId)
    const way = behind && wayThrough(behind, printers)
    if (way) return { ...way, kind: 'backup' }
  }
  return null
}

function isWell({ state, isPaused }: WayPrinter): boolean {
  return state !== 'offline' && !isPaused
}

function isAbsent({ printerId, ticketsGoTo = printerId }: WayPrinter): boolean {
  return ticketsGoTo !== printerId
}

function printed(kind: 'printer' | 'backup', { printerId, name }: WayPrinter): Way {
  return { kind, id: printerId, name }
}
