// What is wrong with the printers, and with what waits at them. Pure.
import { backupsOf } from '#gateway/kitchen/station-ways.ts'
import { fromIso } from '#shared/clock.ts'
import type { Finding, FindingAct, FindingCost, FindingSubject } from '#shared/health.ts'
import type { FindingKey } from '#shared/health-words.ts'
import { printerWork } from '#shared/tickets/printer-work.ts'
import { cost, doing, finding, opening } from './finding.ts'
import type { HealthFacts, PrinterFacts } from './health-facts.ts'
import { refusedStations } from './health-stations.ts'

/** Paper is put in, a cable is plugged in again: that needs no alarm. */
const PATIENCE_MS = { withTickets: 5_000, idle: 60_000 } as const

type Kitchen = Pick<HealthFacts, 'nowMs' | 'printers' | 'displays' | 'ways' | 'stations'>

export function printerFindings(facts: Kitchen): Finding[] {
  const { printers } = facts
  return [
    ...siteFindings(facts),
    ...sharedAddresses(printers),
    ...printers.flatMap((printer) => oneFindings(printer, facts)),
  ]
}

export function printerSubject({ printerId, name }: Pick<PrinterFacts, 'printerId' | 'name'>): FindingSubject {
  return { kind: 'printer', id: printerId, name }
}

/** It takes tickets and prints them, as far as is known. */
export function isWorking({ state, settings }: PrinterFacts): boolean {
  return state === 'online' && !settings.paused
}

function siteFindings({ printers, displays }: Kitchen): Finding[] {
  const first = printers[0]
  if (!first) {
    // A kitchen may work by screens alone.
    const severity = displays.length > 0 ? 'advice' : 'critical'
    const act = doing('look-for-printers', { operation: 'discover.start', input: {} })
    return [finding('no-printer', { severity, act })]
  }
  if (printers.some(({ isDefault }) => isDefault)) return []
  return [
    finding('no-default-printer', {
      severity: 'critical',
      act: doing('make-default', {
        operation: 'printers.update',
        input: { printer: first.printerId, isDefault: true },
        values: { printer: first.name },
      }),
    }),
  ]
}

/** Two printers at one address print each other's tickets. */
function sharedAddresses(printers: readonly PrinterFacts[]): Finding[] {
  const addressOf = ({ host, port }: PrinterFacts): string => (port === 0 ? host : `${host}:${port}`)
  return [...Map.groupBy(printers, addressOf)].flatMap(([address, [one, other]]) => {
    if (!one || !other) return []
    return finding('printers-share-address', {
      severity: 'critical',
      subject: printerSubject(other),
      values: { printer: one.name, other: other.name, address },
      act: opening('open-printer', `/printers/${encodeURIComponent(other.printerId)}`, { printer: other.name }),
    })
  })
}

type OfPrinter = (key: FindingKey, rest: Omit<Parameters<typeof finding>[1], 'subject'>) => Finding

function oneFindings(printer: PrinterFacts, facts: Kitchen): Finding[] {
  const { printerId, name, settings, testedAt } = printer
  const one: OfPrinter = (key, rest) =>
    finding(key, { subject: printerSubject(printer), ...rest, values: { printer: name, ...rest.values } })
  const onPrinter = { printer: printerId }
  const untested = one('printer-untested', {
    severity: 'advice',
    act: doing('test-print', { operation: 'printers.test', input: onPrinter }),
  })
  return [
    ...deviceFindings(printer, one),
    ...stateFindings(printer, facts, one),
    ...parkedFindings(printer, one),
    ...noteFindings(printer, one),
    ...(settings.paused ? [pausedFinding(printer, facts, one)] : []),
    ...idleFindings(printer, facts, one),
    ...(testedAt === null ? [untested] : []),
    ...backupFindings(printer, facts, one),
  ]
}

function deviceFindings({ printerId, device }: PrinterFacts, one: OfPrinter): Finding[] {
  if (device === null) return []
  const { kind, known, found, deviceId } = device
  return [
    one(`printer-${kind}`, {
      severity: kind === 'elsewhere' ? 'warning' : 'critical',
      values: { known, found },
      act: doing('accept-device', { operation: 'printers.accept', input: { printer: printerId, deviceId } }),
    }),
  ]
}

/** Without what the comparison of the devices shows already. */
function stateFindings(printer: PrinterFacts, facts: Kitchen, one: OfPrinter): Finding[] {
  const { state, reasons, hint, since, device, told } = printer
  const named = reasons.filter((reason) => reason !== 'none')
  if (device !== null && device.kind !== 'elsewhere') return []
  const sinceMs = fromIso(since)
  if (state === 'offline') {
    const away = awayNote(printer)
    const isCovered = away !== undefined
    const patienceMs = printer.queued > 0 ? PATIENCE_MS.withTickets : PATIENCE_MS.idle
    // Paper prints elsewhere already: cooks who wait for it here must know.
    if (!isCovered && sinceMs !== null && facts.nowMs - sinceMs < patienceMs) return []
    const refusal = told.find(({ key }) => key.startsWith('not-allowed-'))
    return [
      one('printer-down', {
        severity: isCovered ? 'warning' : 'critical',
        sinceMs,
        values: {
          ...{
            ...refusal?.values,
            ...(refusal && { note: refusal.key }),
            ...(away && { backup: away.values['backup'] ?? '' }),
          },
          ...{ reason: named[0] ?? 'offline', hint },
        },
        cost: costOf(printer, facts),
        act: actOf(printer, facts),
      }),
    ]
  }
  if (state !== 'online' || named.length === 0) return []
  const key = named.includes('media-low') ? 'paper-low' : 'printer-warning'
  return [one(key, { severity: 'warning', sinceMs, values: { reason: named[0] ?? '', hint }, act: pageOf(printer) })]
}

const awayNote = ({ told }: PrinterFacts) => told.find(({ key }) => key === 'away')

function costOf(printer: PrinterFacts, facts: Kitchen): FindingCost {
  const { queued, oldestMs } = printer
  const away = awayNote(printer)
  if (away) return cost('tickets-at-backup', 0, { backup: away.values['backup'] ?? '' })
  if (queued > 0)
    return cost('tickets-wait', queued, { oldestMs: Math.max(0, facts.nowMs - (oldestMs ?? facts.nowMs)) })
  const stations = refusedStations(printer, facts)
  if (stations.length > 0) return cost('orders-refused', stations.length, { stations })
  return cost('tickets-nowhere')
}

/** What waits moves to a printer that works: its backup, else the one that takes the rest, else any. */
function actOf(printer: PrinterFacts, { printers }: Kitchen): FindingAct {
  if (printer.queued === 0 || awayNote(printer)) return pageOf(printer)
  const working = printers.filter((other) => other.printerId !== printer.printerId && isWorking(other))
  const to =
    working.find(({ printerId }) => printerId === printer.settings.backupPrinterId) ??
    working.find(({ isDefault }) => isDefault) ??
    working[0]
  if (!to) return pageOf(printer)
  const input = { from: printer.printerId, to: to.printerId }
  return doing('move-tickets', { operation: 'printers.move', input, values: { to: to.name } })
}

function pageOf({ printerId, name }: PrinterFacts): FindingAct {
  return opening('open-printer', `/printers/${encodeURIComponent(printerId)}`, { printer: name })
}

function parkedFindings({ printerId, parked }: PrinterFacts, one: OfPrinter): Finding[] {
  if (parked === 0) return []
  return [
    one('tickets-parked', {
      severity: 'critical',
      values: { tickets: parked },
      cost: cost('tickets-parked', parked),
      act: doing('release-tickets', { operation: 'printers.release', input: { printer: printerId } }),
    }),
  ]
}

/** Without what its state shows already. */
function noteFindings(printer: PrinterFacts, one: OfPrinter): Finding[] {
  const { told, hint, state, printerId } = printer
  return told
    .filter(({ key, text }) => text !== hint && !(key === 'away' && state === 'offline'))
    .map(({ key, values, text }, index) =>
      one('printer-note', {
        id: `printer-note-${index}:${printerId}`,
        severity: 'warning',
        values: { ...values, note: key, text },
        act: pageOf(printer),
      }),
    )
}

function pausedFinding(printer: PrinterFacts, facts: Kitchen, one: OfPrinter): Finding {
  const { printerId, queued } = printer
  return one('printer-paused', {
    severity: 'warning',
    cost: queued > 0 ? costOf(printer, facts) : null,
    act: doing('resume', { operation: 'printers.resume', input: { printer: printerId } }),
  })
}

/** By the same function as the page of stations and routing. */
function idleFindings(
  printer: PrinterFacts,
  { printers, displays, ways: { rules } }: Kitchen,
  one: OfPrinter,
): Finding[] {
  const work = printerWork(printer.printerId, { printers, displays, rules })
  const rest = { severity: 'warning', act: pageOf(printer) } as const
  if (work === 'passed-over') return [one('printer-passed-over', rest)]
  return work === 'nothing' ? [one('printer-idle', { ...rest, cost: cost('never-prints') })] : []
}

/** None for the only printer: a box may have one, and the guide explains what that means. */
function backupFindings(printer: PrinterFacts, { printers }: Kitchen, one: OfPrinter): Finding[] {
  const backup = printer.settings.backupPrinterId === null ? fitBackup(printer, printers) : undefined
  if (!backup) return []
  const input = { printer: printer.printerId, settings: { backupPrinterId: backup.printerId } }
  const act = doing('choose-backup', { operation: 'printers.update', input, values: { backup: backup.name } })
  return [one('printer-no-backup', { severity: 'advice', act })]
}

/**
 * Of the printers with the same paper: one that works first, then one whose backups do not lead back to this printer, then the default
 * printer. Two that are each other's backup help while one of them works; at the end of their circle nothing prints, as without it.
 */
function fitBackup(printer: PrinterFacts, printers: readonly PrinterFacts[]): PrinterFacts | undefined {
  const { printerId, settings } = printer
  const others = printers.filter((other) => other.printerId !== printerId)
  const alike = others.filter((other) => other.settings.papers.some((paper) => settings.papers.includes(paper)))
  const comesBack = (other: PrinterFacts): boolean =>
    backupsOf(other, printers).some((behind) => behind.printerId === printerId)
  const worth = (other: PrinterFacts): number =>
    (isWorking(other) ? 4 : 0) + (comesBack(other) ? 0 : 2) + (other.isDefault ? 1 : 0)
  return (alike.length > 0 ? alike : others).toSorted((a, b) => worth(b) - worth(a))[0]
}
