// The verdict on a test order: of each printer, station, screen and rule whether it is proved, and if not, exactly what is wrong. Pure.

import type { GuideState } from '#gateway/storage/box-settings-store.ts'
import type { PrinterState } from '#shared/print-job.ts'
import { fold } from '#shared/tickets/route.ts'
import type { CheckAnswer, CheckFinding, CheckLine, CheckState, CheckValues, CheckWhy } from './check-answers.ts'
import type { FindingAnswer } from './health-answers.ts'
import type { RuleFault, StationAnswer, StationPrinter, StationScreen, StationsAnswer } from './station-answers.ts'

/** A ticket of the test order, or a test ticket of a printer that the order does not reach. */
export interface CheckTicket {
  /** Where it is now. */
  printerId: string
  /** The printer that it was meant for. */
  meantFor: string
  state: string
  reason: string | null
  /** The printer itself confirmed that it is on paper. */
  isConfirmed: boolean
  /** Stations of its lines, in lower case; empty text: a line without a station. */
  stations: readonly string[]
}

export interface CheckFacts {
  stations: StationsAnswer
  printers: readonly CheckPrinter[]
  /** Of every kind. */
  screens: readonly CheckScreen[]
  /** Screens of runners and of guests: no line of the test comes there. */
  others: readonly { displayId: string; name: string }[]
  tickets: readonly CheckTicket[]
  /** What a person read at a printer, by its id: the printer of the paper with that number. */
  typed: ReadonlyMap<string, string>
  leftOut: GuideState['leftOut']
  /** Of Health, as of now. */
  findings: readonly FindingAnswer[]
}

export interface CheckPrinter {
  printerId: string
  name: string
  state: PrinterState
  /** Why it cannot print, the worst first; `none` is no reason. */
  reasons: readonly string[]
  isPaused: boolean
  /** A person has typed in a number that it printed: it is where people think it is. */
  isIdentified: boolean
}

export interface CheckScreen {
  displayId: string
  isSignedIn: boolean
  isAlive: boolean
  /** The test order is drawn on it; of a screen of runners or guests: its board, as it was since the test was sent. */
  isSeen: boolean
}

type Verdict = Pick<CheckLine, 'state' | 'why' | 'values'> & Partial<Pick<CheckLine, 'notes'>>

export function checkVerdict(facts: CheckFacts): CheckAnswer {
  const { stations, leftOut } = facts
  const byWhom = (kind: CheckLine['kind'], id: string): string | null =>
    leftOut.find((one) => one.kind === kind && one.id === id)?.by ?? null
  const line = (kind: CheckLine['kind'], one: { id: string; name: string }, verdict: Verdict): CheckLine => {
    return { kind, ...one, notes: [], ...verdict, leftOutBy: byWhom(kind, one.id) }
  }
  const lines = [
    ...stations.printers.map((one) =>
      line('printer', { id: one.printerId, name: one.name }, printerVerdict(one, facts)),
    ),
    ...stations.stations.map((one) =>
      line('station', { id: fold(one.name), name: one.name }, stationVerdict(one, facts)),
    ),
    line('station', { id: '', name: '' }, restVerdict(facts)),
    ...stations.displays.map((one) => line('screen', { id: one.displayId, name: one.name }, screenVerdict(one, facts))),
    ...facts.others.map((one) =>
      line('screen', { id: one.displayId, name: one.name }, otherVerdict(one.displayId, facts)),
    ),
    ...stations.rules.flatMap(({ name, fault }) =>
      fault === null ? [] : [line('rule', { id: fold(name), name }, said('nothing', RULE_WHY[fault]))],
    ),
  ]
  const health = healthOf(facts)
  const isProved = lines.every(({ state, leftOutBy }) => state === 'proved' || leftOutBy !== null)
  return { lines, health, isGreen: isProved && health.every(({ leftOutBy }) => leftOutBy !== null) }
}

/** Paper that came out does not make a kitchen ready in which the clock is wrong or the disk full. */
function healthOf({ findings, leftOut }: CheckFacts): CheckFinding[] {
  return findings
    .filter(({ severity }) => severity !== 'advice')
    .map((finding) => {
      const { id, subject } = finding
      const about = subject.kind === 'display' ? 'screen' : subject.kind
      const isIt = (one: GuideState['leftOut'][number]): boolean =>
        (one.kind === 'health' && one.id === id) || (subject.id !== '' && one.kind === about && one.id === subject.id)
      return { finding, leftOutBy: leftOut.find(isIt)?.by ?? null }
    })
}

const RULE_WHY: Readonly<Record<RuleFault, CheckWhy>> = {
  gone: 'rule-gone',
  'part-gone': 'rule-part-gone',
  never: 'rule-never',
}

function said(state: CheckState, why: CheckWhy, values: CheckValues = {}): Verdict {
  return { state, why, values }
}

function nameOf({ stations }: CheckFacts, printerId: string): string {
  return stations.printers.find((one) => one.printerId === printerId)?.name ?? printerId
}

function printerVerdict(printer: StationPrinter, facts: CheckFacts): Verdict {
  const standing = facts.printers.find(({ printerId }) => printerId === printer.printerId)
  return { notes: notesOf(printer, standing, facts), ...(faultOf(printer, standing, facts) ?? paperOf(printer, facts)) }
}

/** What is wrong whatever became of the paper. */
function faultOf(printer: StationPrinter, standing: CheckPrinter | undefined, facts: CheckFacts): Verdict | null {
  const { printerId, work } = printer
  const foundAt = facts.typed.get(printerId)
  if (foundAt !== undefined && foundAt !== printerId)
    return said('wrong', 'swapped', { printer: nameOf(facts, foundAt) })
  if (standing?.isPaused) return said('silent', 'paused')
  if (standing?.state === 'offline')
    return said('silent', 'offline', { reason: standing.reasons.find((reason) => reason !== 'none') ?? 'offline' })
  if (work === 'nothing') return said('nothing', 'no-work')
  if (work !== 'passed-over') return null
  const mine = facts.stations.stations.filter(({ passedOver }) => passedOver.includes(printerId))
  const before = mine[0]?.paper[0]
  const values = { station: mine[0]?.name ?? '', printer: before ? nameOf(facts, before.printerId) : '' }
  return said('nothing', 'passed-over', values)
}

/** What became of the tickets that were meant for it. */
function paperOf({ printerId }: StationPrinter, facts: CheckFacts): Verdict {
  const meant = facts.tickets.filter((ticket) => ticket.meantFor === printerId)
  const moved = meant.find((ticket) => ticket.printerId !== printerId)
  if (moved) return said('silent', 'moved', { printer: nameOf(facts, moved.printerId) })
  const failed = meant.find(({ state }) => !isOpen(state) && state !== 'printed')
  if (failed) return said('silent', 'failed', { reason: failed.reason ?? failed.state })
  if (meant.some(({ state }) => isOpen(state))) return said('waits', 'on-its-way')
  if (meant.length === 0) return said('silent', 'not-sent')
  if (facts.typed.get(printerId) === printerId) return said('proved', 'number-right')
  // The printer's own proof shows that there is paper, not that the printer is where people think it is.
  const standing = facts.printers.find((one) => one.printerId === printerId)
  const isPlaced = standing?.isIdentified === true || facts.printers.length === 1
  const isProved = isPlaced && meant.every(({ isConfirmed }) => isConfirmed)
  return isProved ? said('proved', 'printed') : said('asks', 'type-number')
}

function isOpen(state: string): boolean {
  return state === 'queued' || state === 'sending' || state === 'held'
}

function notesOf(printer: StationPrinter, standing: CheckPrinter | undefined, facts: CheckFacts): CheckLine['notes'] {
  const { name, work, backups } = printer
  const notes: CheckLine['notes'] = []
  const isAway = standing?.state === 'offline' || standing?.isPaused === true
  const isWell = (other: string): boolean =>
    facts.printers.some((one) => one.name === other && one.state !== 'offline' && !one.isPaused)
  const taker = backups.find((other) => other !== name && isWell(other))
  // What a person has paused waits for that person: no backup takes it.
  if (standing?.state === 'offline' && !standing.isPaused && taker !== undefined)
    notes.push({ key: 'backup-took', values: { printer: taker } })
  if (isAway && backups.length > 0 && taker === undefined)
    notes.push({ key: 'nobody-takes', values: { printers: backups.filter((other) => other !== name) } })
  if (backups.at(-1) === name || new Set(backups).size < backups.length)
    notes.push({ key: 'circle', values: { printersChain: [name, ...backups] } })
  if (work === 'rules') notes.push({ key: 'only-by-rules', values: {} })
  if (work === 'backup') notes.push({ key: 'only-backup', values: {} })
  return notes
}

function stationVerdict(station: StationAnswer, facts: CheckFacts): Verdict {
  const { name, faults, like, paper } = station
  const rest = facts.stations.rest.printerId
  const printer = rest === null ? '' : nameOf(facts, rest)
  if (like !== null) return said('nothing', 'like', { station: like })
  if (faults.includes('no-place')) return said('nothing', 'no-place', { printer })
  if (paper.length === 0 && station.screens.length === 0) return said('nothing', 'no-printer-at-all')
  if (faults.includes('no-printer')) return said('nothing', 'no-printer', { printer })
  if (faults.includes('no-screen')) return said('nothing', 'no-screen')
  const screens = facts.screens.filter(({ displayId }) => station.screens.some((one) => one.displayId === displayId))
  return lineVerdict(fold(name), { meant: paper.map(({ printerId }) => printerId), screens }, facts)
}

/** Lines without a station: they print at one printer, and appear on every screen that shows everything. */
function restVerdict(facts: CheckFacts): Verdict {
  const { rest, displays } = facts.stations
  // Rules may send it elsewhere: which printers are meant for it is what the order shows.
  if (rest.printerId !== null) return lineVerdict('', { meant: [], screens: [] }, facts)
  if (displays.length === 0) return said('nothing', 'no-printer-at-all')
  // Screens alone: where none shows everything, the box chooses one for what no screen serves.
  const showAll = displays.filter(({ isExpo }) => isExpo)
  const its = showAll.length > 0 ? showAll : displays
  const screens = facts.screens.filter(({ displayId }) => its.some((one) => one.displayId === displayId))
  return lineVerdict('', { meant: [], screens }, facts)
}

interface Places {
  /** Printers each of which is to print it. */
  meant: readonly string[]
  screens: readonly CheckScreen[]
}

/** Of a station that has its places: did its line come out at each printer that is meant for it, and does a screen of it show it? */
function lineVerdict(key: string, { meant, screens }: Places, facts: CheckFacts): Verdict {
  const tickets = facts.tickets.filter(({ stations }) => stations.includes(key))
  const notPrinted = tickets.find(({ state }) => state !== 'printed')
  if (notPrinted) {
    const printer = nameOf(facts, notPrinted.printerId)
    const isStuck = !isOpen(notPrinted.state) || isAway(notPrinted.printerId, facts)
    return isStuck ? said('silent', 'printer-silent', { printer }) : said('waits', 'printer-open', { printer })
  }
  const moved = tickets.find((ticket) => ticket.printerId !== ticket.meantFor)
  if (moved) {
    const values = { printer: nameOf(facts, moved.meantFor), backup: nameOf(facts, moved.printerId) }
    return said('silent', 'at-backup', values)
  }
  const without = meant.find((printerId) => !tickets.some(({ meantFor }) => meantFor === printerId))
  if (without !== undefined && tickets.length > 0) return said('silent', 'no-line', { printer: nameOf(facts, without) })
  if (screens.length > 0 && !screens.some(({ isSeen }) => isSeen)) {
    const alive = screens.find((one) => one.isAlive) ?? screens[0]
    const display = facts.stations.displays.find(({ displayId }) => displayId === alive?.displayId)?.name ?? ''
    return alive?.isAlive ? said('waits', 'screen-open', { display }) : said('silent', 'screen-silent', { display })
  }
  const isUntried = tickets.length === 0 && (screens.length === 0 || meant.length > 0)
  if (isUntried) return said('nothing', 'not-tried')
  return said('proved', 'everywhere')
}

function isAway(printerId: string, { printers }: CheckFacts): boolean {
  const printer = printers.find((one) => one.printerId === printerId)
  return printer === undefined || printer.state === 'offline' || printer.isPaused
}

function screenVerdict({ displayId, fault, stations }: StationScreen, facts: CheckFacts): Verdict {
  const { standing, away } = standingOf(displayId, facts)
  if (away !== null) return said('silent', away)
  if (fault === 'no-overlap') return said('nothing', 'no-overlap', { stations })
  return standing?.isSeen ? said('proved', 'shown') : said('waits', 'not-shown')
}

function otherVerdict(displayId: string, facts: CheckFacts): Verdict {
  const { standing, away } = standingOf(displayId, facts)
  if (away !== null) return said('silent', away)
  return standing?.isSeen ? said('proved', 'board-drawn') : said('waits', 'board-not-drawn')
}

/** @returns `away`: why it shows nothing to anybody; null: it may */
function standingOf(
  displayId: string,
  { screens }: CheckFacts,
): { standing: CheckScreen | undefined; away: 'not-signed-in' | 'screen-off' | null } {
  const standing = screens.find((one) => one.displayId === displayId)
  if (!standing?.isSignedIn) return { standing, away: 'not-signed-in' }
  return { standing, away: standing.isAlive || standing.isSeen ? null : 'screen-off' }
}
