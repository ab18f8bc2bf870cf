// What is wrong with this box and what to do about it: a pure function of what is known, worst first.

import type { RecentTicket } from '#gateway/storage/history-store.ts'
import { type EpochMs, toIso } from '#shared/clock.ts'
import type { LinkTrouble } from '#shared/wire/gateway-claim.ts'
import type { DisplayAnswer, NoteAnswer, PrinterAnswer, RepairAnswer } from './answers.ts'
import { deviceRepairs, isQuieter } from './device-repairs.ts'
import { displayRepairs } from './display-repairs.ts'
import { isRefusedAddress } from './printer-address-policy.ts'
import { type Repair, repair } from './repair.ts'

/** What the care of the box (disk, clock, database, update) has found. */
export interface BoxAlarm {
  /** Stable while it lasts, such as `disk-nearly-full`. */
  id: string
  /** Which of the page's own sentences is meant; default: that of the id. */
  key?: string
  severity: 'error' | 'warning' | 'info'
  title: string
  /** What it means and what to do. */
  text: string
  /** For the page's own sentence. */
  values?: Record<string, string | number>
}

export interface RepairFacts {
  nowMs: EpochMs
  link: { state: string; detail: string; sinceMs: EpochMs; trouble?: LinkTrouble | null }
  printers: readonly PrinterAnswer[]
  displays: readonly DisplayAnswer[]
  timeZone: string
  alarms: readonly BoxAlarm[]
  /** Tickets of the last hours whose paper tells characters by their code points, newest first. */
  unprintable: readonly Unprintable[]
}

export type Unprintable = Pick<RecentTicket, 'ticketId' | 'orderNumber' | 'printerName' | 'unprintable' | 'settledAtMs'>

/** A lost connection is usually back before anybody could do something. */
const LINK_PATIENCE_MS = 60_000
const RANK = { error: 0, warning: 1, info: 2 } as const

export function repairsOf(facts: RepairFacts): RepairAnswer[] {
  const { printers, displays, alarms } = facts
  const repairs = [
    ...alarms.map(repairOfAlarm),
    ...linkRepairs(facts),
    ...siteRepairs(facts),
    ...facts.unprintable.map(unprintableRepair),
    ...printers.flatMap((printer) => printerRepairs(printer, printers)),
    ...displays.flatMap((display) => displayRepairs(display, printers)),
  ]
  return repairs.sort((a, b) => RANK[a.severity] - RANK[b.severity])
}

function repairOfAlarm({ id, key = id, severity, title, text, values = {} }: BoxAlarm): RepairAnswer {
  return { ...repair(id, { severity, title, text, values }), key }
}

function linkRepairs({ link, nowMs }: RepairFacts): RepairAnswer[] {
  const since = toIso(link.sinceMs)
  switch (link.state) {
    case 'unpaired':
      return [
        repair('not-paired', {
          severity: 'warning',
          title: 'Not paired',
          text: 'This box belongs to no restaurant yet: no orders arrive. Type in a claim code under Settings. Printers and displays work without.',
        }),
      ]
    case 'unusable':
      return [
        repair('pairing-unusable', {
          severity: 'error',
          title: 'Pairing cannot be used',
          text: 'The pairing of this box cannot be read: no orders arrive. Pair it again with a new claim code.',
        }),
      ]
    case 'connecting':
      if (link.trouble) return [troubleRepair(link.trouble, link.detail, since)]
      if (nowMs - link.sinceMs < LINK_PATIENCE_MS) return []
      return [
        repair('relay-unreachable', {
          severity: 'error',
          title: 'No connection to the relay',
          text: 'New orders wait at the relay and arrive when the connection is back. Check the internet. What is here still prints.',
          values: { detail: link.detail },
          since,
        }),
      ]
    default:
      return []
  }
}

/** Nobody needs to wait and see. */
function troubleRepair(trouble: LinkTrouble, detail: string, since: string): RepairAnswer {
  switch (trouble) {
    case 'refused':
      return repair('relay-refuses', {
        severity: 'error',
        title: 'The relay refuses this box',
        text: 'It was revoked, or another box has its place: no orders arrive. Under Settings, unpair it, then pair it with a new claim code. What is here still prints.',
        values: { detail },
        since,
      })
    case 'certificate':
      return repair('relay-certificate', {
        severity: 'error',
        title: 'The relay cannot prove who it is',
        text: `No orders arrive: ${detail} What is here still prints.`,
        values: { detail },
        since,
      })
  }
}

/** The cook holds paper that does not say everything: somebody must ask the guest, or install a font. */
function unprintableRepair({
  ticketId,
  orderNumber,
  printerName,
  unprintable,
  settledAtMs,
}: Unprintable): RepairAnswer {
  const count = unprintable ?? 0
  const order = orderNumber || ticketId
  return repair(count === 1 ? 'unprintable-one' : 'unprintable', {
    id: `unprintable:${ticketId}`,
    severity: 'warning',
    title: `${count === 1 ? 'A character' : `${count} characters`} of order #${order} could not be printed`,
    text: `On the paper of ${printerName} a number such as [U+0378], or ?, stands in the place of ${count === 1 ? 'it' : 'each'}. Ask what was meant. A printer that prints pictures can print whatever this box has a font for: put a .ttf, .otf or .woff file into the folder fonts beside the database of this box, and start the box again.`,
    values: { order, printer: printerName, characters: count, ticketId },
    ...(settledAtMs === null ? {} : { since: toIso(settledAtMs) }),
  })
}

function siteRepairs({ printers, link, timeZone }: RepairFacts): RepairAnswer[] {
  const first = printers[0]
  if (!first)
    return [
      repair('no-printer', {
        severity: 'error',
        title: 'No printer',
        text: 'Nothing can print. Look for printers on the network, or add one by its address.',
        fix: { operation: 'discover.start', input: {}, label: 'Look for printers' },
      }),
    ]
  const noDefault = repair('no-default-printer', {
    severity: 'error',
    title: 'No printer takes the rest',
    text: 'Items whose station no printer serves have nowhere to go. Say which printer takes them.',
    values: { printer: first.name },
    fix: {
      operation: 'printers.update',
      input: { printer: first.printerId, isDefault: true },
      label: `Let ${first.name} take them`,
    },
  })
  const noZone = repair('time-zone', {
    severity: 'info',
    title: 'Time zone not set',
    text: 'Times on tickets are in UTC. Set the time zone of the restaurant, or pair the box, which brings it along.',
  })
  return [
    ...(printers.some(({ isDefault }) => isDefault) ? [] : [noDefault]),
    ...(timeZone === '' && link.state === 'unpaired' ? [noZone] : []),
  ]
}

function printerRepairs(printer: PrinterAnswer, all: readonly PrinterAnswer[]): RepairAnswer[] {
  const { printerId, name, settings } = printer
  const one = (key: string, rest: Repair): RepairAnswer =>
    repair(key, { id: `${key}:${printerId}`, ...rest, values: { printer: name, ...rest.values } })
  const paused = one('printer-paused', {
    severity: 'warning',
    title: `${name} is paused`,
    text: 'Its tickets wait until somebody lets it go on.',
    fix: { operation: 'printers.resume', input: { printer: printerId }, label: 'Go on' },
  })
  const untested = one('printer-untested', {
    severity: 'info',
    title: `${name} was not tested`,
    text: 'Print a test ticket, look at it, and type in its code: then its tickets are known to read right.',
    fix: { operation: 'printers.test', input: { printer: printerId }, label: 'Print a test ticket' },
  })
  const noBackup = one('no-backup', {
    severity: 'info',
    title: `${name} has no backup`,
    text: 'Nobody takes over its tickets when it fails. Choose another printer as its backup.',
  })
  return [
    ...deviceRepairs(printer),
    ...healthRepairs(printer, one),
    ...waitingRepairs(printer, one),
    ...notesBesideHealth(printer).map(({ key, values, text }, index) =>
      one('printer-note', {
        id: `printer-note-${index}:${printerId}`,
        severity: 'warning',
        title: noteTitle(name, { key, values }),
        text,
        values: { ...values, note: key },
      }),
    ),
    ...(settings.paused ? [paused] : []),
    ...(printer.testedAt === null ? [untested] : []),
    ...(settings.backupPrinterId === null && all.length > 1 ? [noBackup] : []),
  ]
}

/** Without what its health says already. */
function notesBesideHealth({ told, hint }: PrinterAnswer): NoteAnswer[] {
  return told.filter(({ text }) => text !== hint)
}

function noteTitle(name: string, { key, values }: Pick<NoteAnswer, 'key' | 'values'>): string {
  switch (key) {
    case 'away':
      return `${name} is away: ${values['backup']} has its tickets`
    case 'moved':
      return `${name} has another address`
    case 'moved-back':
      return `${name} is back at its old address`
    case 'several':
      return `Several devices answer with the hardware address of ${name}`
    case 'taken':
      return `Another printer is set up at the new address of ${name}`
    case 'not-yet':
      return `${name} may have another address`
    default:
      return name
  }
}

type OfPrinter = (key: string, rest: Repair) => RepairAnswer

function healthRepairs(printer: PrinterAnswer, one: OfPrinter): RepairAnswer[] {
  const { name, state, reasons, hint, since, identity, told } = printer
  const named = reasons.filter((reason) => reason !== 'none')
  const refusal = named[0] === 'not-allowed' ? told.find(isRefusedAddress) : undefined
  // Said with both devices side by side.
  if ((named[0] === 'another-printer' && identity.found !== null) || isQuieter(identity)) return []
  if (state === 'offline')
    return [
      one('printer-down', {
        severity: 'error',
        title: `${name} does not print`,
        text: hint,
        since,
        values: { ...refusal?.values, ...(refusal && { note: refusal.key }), reason: named[0] ?? 'offline', hint },
      }),
    ]
  if (state !== 'online' || named.length === 0) return []
  const isPaper = named.includes('media-low')
  return [
    one(isPaper ? 'paper-low' : 'printer-warning', {
      severity: 'warning',
      title: isPaper ? `Paper of ${name} is nearly out` : `${name} has a message`,
      text: hint,
      since,
      values: { reason: named[0] ?? '', hint },
    }),
  ]
}

function waitingRepairs({ printerId, name, parked }: PrinterAnswer, one: OfPrinter): RepairAnswer[] {
  if (parked === 0) return []
  return [
    one('tickets-parked', {
      severity: 'error',
      title: `${parked === 1 ? 'A ticket waits' : `${parked} tickets wait`} for you at ${name}`,
      text: 'It is not known whether they stand on paper, or they are old. Look at the printer, then let them print or settle each under Jobs.',
      values: { tickets: parked },
      fix: { operation: 'printers.release', input: { printer: printerId }, label: 'Print them' },
    }),
  ]
}
