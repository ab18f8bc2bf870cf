// Shows what would happen to a job now: its tickets, their printers, and the reasons. Prints nothing. Pure.
import type { EpochMs } from '#shared/clock.ts'
import type { PrinterReason, PrinterState } from '#shared/print-job.ts'
import type { PaperType } from '#shared/printer-settings.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import { NO_PRINTER, type Route, type TicketPart } from './route.ts'
import { routeJob } from './route-job.ts'
import { traceWords } from './route-order.ts'
import type { RoutingRule } from './routing-rules.ts'
import { TicketTimes } from './ticket-times.ts'

/** The current state of a printer. */
export interface Readiness {
  state: PrinterState
  reasons: readonly PrinterReason[]
  isPaused: boolean
  /** Number of tickets that wait before it. */
  waiting: number
  /** Id of the printer that takes its tickets while it cannot print. Absent, or its own id: no other one does. */
  ticketsGoTo?: string
}

export interface WhatIfTicket {
  printerId: string
  printerName: string
  paper: PaperType
  station: string | null
  items: readonly { name: string; qty: number }[]
  alsoAt: readonly string[]
  piece?: { n: number; of: number }
  copy?: { n: number; of: number }
  /** Reasons in words. Contain names from outside. */
  why: readonly string[]
  /** Null: the printer's state is not known yet. */
  printsNow: boolean | null
  /** What it waits for, in words. Null if nothing is before it. */
  waitsFor: string | null
}

export interface WhatIf {
  tickets: readonly WhatIfTicket[]
  /** Warnings in words, such as rules without printers. */
  notes: readonly string[]
  /** True if every kitchen ticket, or the client's document, would print now. */
  printsNow: boolean
}

/**
 * Routes the job and checks its printers.
 * @param routes the default printer first
 * @param readiness by printer id; absent for a printer whose state is not known yet
 * @param nowMs determines whether an order is still held
 */
export function whatIf(
  doc: JobDoc,
  {
    routes,
    rules,
    readiness,
    nowMs,
  }: {
    routes: readonly Route[]
    rules: readonly RoutingRule[]
    readiness: ReadonlyMap<string, Readiness>
    nowMs: EpochMs
  },
): WhatIf {
  const heldUntil = heldUntilOf(doc, nowMs)
  const tickets = routeJob(doc, routes, { rules }).map((part): WhatIfTicket => {
    const there = atBackup(part, routes, readiness)
    const ready = readinessOf(there, routes, readiness)
    const waitsFor = heldUntil === null ? ready.waitsFor : `held until ${heldUntil}`
    return { ...ticketOf(doc, there, routes), printsNow: heldUntil === null ? ready.printsNow : false, waitsFor }
  })
  return {
    tickets,
    notes: notesOf(doc, routes, rules),
    printsNow: tickets.every(
      ({ paper, printsNow }) => printsNow === true || (doc.kind === 'order' && paper !== 'kitchen'),
    ),
  }
}

/** The ticket at the printer that takes it now: the routed one, or its backup while that cannot print. */
function atBackup(part: TicketPart, routes: readonly Route[], readiness: ReadonlyMap<string, Readiness>): TicketPart {
  const printerId = readiness.get(part.printerId)?.ticketsGoTo ?? part.printerId
  if (printerId === part.printerId) return part
  const nameOf = (id: string): string => routes.find((route) => route.printerId === id)?.name ?? id
  const why = `${nameOf(part.printerId)} is away: its backup ${nameOf(printerId)} has its tickets`
  return { ...part, printerId, trace: [...(part.trace ?? []), { items: [], why }] }
}

/** Local time until which an order is held. Null if it is not. */
function heldUntilOf(doc: JobDoc, nowMs: EpochMs): string | null {
  if (doc.kind !== 'order') return null
  const { fireAtMs, timeZone } = doc.order
  return fireAtMs !== null && fireAtMs > nowMs ? new TicketTimes(timeZone, nowMs).time(fireAtMs) : null
}

function ticketOf(
  doc: JobDoc,
  part: TicketPart,
  routes: readonly Route[],
): Omit<WhatIfTicket, 'printsNow' | 'waitsFor'> {
  const items = 'order' in doc ? doc.order.items : []
  return {
    printerId: part.printerId,
    printerName: routes.find((route) => route.printerId === part.printerId)?.name ?? '',
    paper: doc.kind === 'receipt' || doc.kind === 'label' ? doc.kind : (part.paper ?? 'kitchen'),
    station: part.station,
    items: part.items.flatMap((index) => items[index] ?? []).map(({ name, qty }) => ({ name, qty })),
    alsoAt: part.alsoAt,
    ...(part.piece ? { piece: part.piece } : {}),
    ...(part.copy ? { copy: part.copy } : {}),
    why: traceWords(items, part.trace ?? []),
  }
}

function readinessOf(
  { printerId }: TicketPart,
  routes: readonly Route[],
  readiness: ReadonlyMap<string, Readiness>,
): Pick<WhatIfTicket, 'printsNow' | 'waitsFor'> {
  if (printerId === NO_PRINTER) return { printsNow: false, waitsFor: 'the first printer: none is set up' }
  const now = readiness.get(printerId)
  if (now === undefined || now.state === 'unknown')
    return { printsNow: null, waitsFor: 'the printer has not answered yet' }
  if (now.isPaused) return { printsNow: false, waitsFor: 'the printer is paused: resume it' }
  if (now.state === 'offline') {
    const reasons = now.reasons.filter((reason) => reason !== 'none')
    const backup = backupOf(printerId, routes, readiness)
    const then = backup === null ? '' : `; its backup ${backup.name} takes over`
    return { printsNow: false, waitsFor: ['the printer is offline', ...reasons].join(', ') + then }
  }
  if (now.waiting > 0) return { printsNow: true, waitsFor: `${now.waiting} tickets before it` }
  return { printsNow: true, waitsFor: null }
}

/** The backup printer, if it exists and can print. */
function backupOf(
  printerId: string,
  routes: readonly Route[],
  readiness: ReadonlyMap<string, Readiness>,
): Route | null {
  const backupId = routes.find((route) => route.printerId === printerId)?.settings?.backupPrinterId ?? null
  const backup = routes.find((route) => route.printerId === backupId)
  const now = backup === undefined ? undefined : readiness.get(backup.printerId)
  return backup !== undefined && now?.state === 'online' && !now.isPaused ? backup : null
}

/** Notes about a receipt that cannot be printed and rules whose printers no longer exist. */
function notesOf(doc: JobDoc, routes: readonly Route[], rules: readonly RoutingRule[]): string[] {
  const wantsReceipt =
    routes.some((route) => route.settings?.papers.includes('receipt')) ||
    rules.some(({ when, print }) => print.paper === 'receipt' && when.paper !== 'receipt')
  const hasNoAmounts = doc.kind === 'order' && doc.order.receipt === undefined
  const gone = rules.flatMap(({ name, print }) =>
    print.printerIds
      .filter((id) => !routes.some((route) => route.printerId === id))
      .map((id) => `rule '${name}' names printer ${id}, which is gone`),
  )
  return [...(wantsReceipt && hasNoAmounts ? ['no receipt: the order does not say its amounts'] : []), ...gone]
}
