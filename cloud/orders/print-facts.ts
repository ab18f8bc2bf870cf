// What a gateway's evidence proves about an order's paper. Pure.
import { type EpochMs, toIso } from '#shared/clock.ts'
import { confirmMethod, type TicketEvidence } from '#shared/print-job.ts'
import type { PrintFacts } from '#shared/wire/print-facts.ts'

/** Weakest first. */
const METHODS = confirmMethod.options.toReversed()

/**
 * Facts of an order whose every ticket is on paper, or null when the evidence does not show that (no ticket, or one without
 * outcome `printed`): then the order must not be reported as printed.
 * Instants come from the gateway, so they are limited to between `notBeforeMs` (when the order was queued) and `nowMs`.
 */
export function printFactsOf(
  tickets: readonly TicketEvidence[],
  bounds: { notBeforeMs: EpochMs; nowMs: EpochMs },
): { facts: PrintFacts; printedAtMs: EpochMs } | null {
  if (tickets.length === 0 || tickets.some((t) => t.state !== 'printed')) return null
  const within = (ms: number): EpochMs => Math.min(Math.max(ms, bounds.notBeforeMs), bounds.nowMs)
  const printers = tickets.map((ticket) => ({
    printerId: ticket.printerId,
    name: ticket.printerName,
    ...(ticket.movedFrom === undefined ? {} : { movedFrom: ticket.movedFrom }),
    confirmation: ticket.confirmation ?? 'assumed',
    method: ticket.method ?? 'none',
    firstByteAt: ticket.firstByteAtMs === null ? null : toIso(within(ticket.firstByteAtMs)),
    printedAt: toIso(within(ticket.printedAtMs ?? bounds.nowMs)),
    attempts: ticket.attempts,
    possibleDuplicate: ticket.possibleDuplicate,
    ...(ticket.unprintable === undefined ? {} : { unprintable: ticket.unprintable }),
  }))
  const printedAtMs = Math.max(...tickets.map((t) => within(t.printedAtMs ?? bounds.nowMs)))
  const facts: PrintFacts = {
    confirmation: printers.every((p) => p.confirmation === 'confirmed') ? 'confirmed' : 'assumed',
    method: METHODS.find((method) => printers.some((p) => p.method === method)) ?? 'none',
    printedAt: toIso(printedAtMs),
    attempts: Math.max(...printers.map((p) => p.attempts)),
    possibleDuplicate: printers.some((p) => p.possibleDuplicate),
    ...sumOfUnprintable(tickets),
    printers,
  }
  return { facts, printedAtMs }
}

/** Nothing when an older gateway did not count. */
function sumOfUnprintable(tickets: readonly TicketEvidence[]): { unprintable?: number } {
  const counts = tickets.flatMap(({ unprintable }) => unprintable ?? [])
  return counts.length < tickets.length ? {} : { unprintable: counts.reduce((sum, count) => sum + count, 0) }
}
