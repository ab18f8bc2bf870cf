// Tickets: list, history of each, cancel, print again, declare what is on paper.
import type { RecentTicket } from '#gateway/storage/history-store.ts'
import type { TicketAct, TicketRefusal } from '#gateway/storage/ticket-acts.ts'
import type { AttemptRecord } from '#gateway/storage/ticket-history.ts'
import { toIso } from '#shared/clock.ts'
import type { AttemptAnswer, TicketAnswer, TicketHistoryAnswer } from './answers.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'
import { type OrderSearch, orderNamed } from './order-search.ts'
import { otherThan, requirePrinter } from './printer-view.ts'

type Operations = Pick<
  ControlHandlers,
  'jobs.list' | 'jobs.show' | 'jobs.cancel' | 'jobs.move' | 'jobs.reprint' | 'jobs.resolve'
>

export function jobOperations(context: ControlContext, orders: OrderSearch): Operations {
  const { history, queue } = context
  const show = (ticketId: string): TicketHistoryAnswer => historyOf(context, ticketId)
  return {
    'jobs.list': async ({ order, printer, state, limit, before }, asking) => {
      const printerId = printer === undefined ? undefined : requirePrinter(context, printer).printerId
      if (order !== undefined) {
        const tickets = await ticketsOfOrder(context, orders, { name: order, signal: asking?.signal })
        const fits = (one: TicketAnswer) =>
          (printerId === undefined || one.printerId === printerId) && (state === undefined || one.state === state)
        return { tickets: tickets.filter(fits), next: null }
      }
      const tickets = history.list({ printerId, state, limit, before })
      return {
        tickets: tickets.map(ticketOf),
        next: tickets.length < limit ? null : (tickets.at(-1)?.position ?? null),
      }
    },

    'jobs.show': ({ ticketId }) => show(ticketId),

    'jobs.cancel': ({ ticketId }) => {
      show(ticketId)
      requireDone(queue.cancelTicket(ticketId))
      return show(ticketId)
    },

    'jobs.move': async ({ ticketId, printer }) => {
      requireDone(await queue.moveTicket(ticketId, otherThan(context, show(ticketId).printerId, printer)))
      return show(ticketId)
    },

    'jobs.reprint': ({ ticketId, printer }) => {
      const { kind } = show(ticketId)
      // Typing its code proves that somebody has seen the paper of the tested printer.
      if (kind === 'test')
        throw new ControlRefusal('refused', 'A test ticket is not printed again: make a new one.', {
          said: { key: 'ticket.test' },
        })
      const printerId = printer === undefined ? undefined : requirePrinter(context, printer).printerId
      return { ticketId: requireDone(queue.reprint(ticketId, printerId)) }
    },

    'jobs.resolve': ({ ticketId, how }) => {
      show(ticketId)
      requireDone(queue.resolveParked(ticketId, how))
      return show(ticketId)
    },
  }
}

/** Newest first, as all tickets are. @throws ControlRefusal */
async function ticketsOfOrder(
  context: ControlContext,
  orders: OrderSearch,
  { name, signal }: { name: string; signal: AbortSignal | undefined },
): Promise<TicketAnswer[]> {
  const jobIds = await orders.jobIdsOf(await orderNamed(orders, name, signal), signal)
  const tickets = jobIds.flatMap((jobId) => context.orders.ticketIdsOf(jobId))
  return tickets
    .flatMap((ticketId) => context.history.ticket(ticketId)?.ticket ?? [])
    .map(ticketOf)
    .reverse()
}

export function historyOf({ history }: ControlContext, ticketId: string): TicketHistoryAnswer {
  const known = history.ticket(ticketId)
  if (!known)
    throw new ControlRefusal(
      'not-found',
      `There is no ticket ${ticketId}. Give the value of the TICKET column of jobs list, not that of ORDER.`,
      { said: { key: 'ticket.unknown-ticket' } },
    )
  return {
    ...ticketOf(known.ticket),
    acceptedAt: iso(known.acceptedAtMs),
    timeline: known.timeline.map(({ atMs, sinceMs, ...step }) => ({ at: toIso(atMs), afterMs: sinceMs, ...step })),
    attemptList: known.attempts.map(attemptOf),
    trace: known.trace.map(({ why }) => why),
  }
}

export function ticketOf(ticket: RecentTicket): TicketAnswer {
  const { jobId, printerName, receivedAtMs, notBeforeMs, settledAtMs, position: _, ...rest } = ticket
  return {
    ...rest,
    printJobId: jobId,
    printer: printerName,
    receivedAt: toIso(receivedAtMs),
    notBefore: iso(notBeforeMs),
    settledAt: iso(settledAtMs),
  }
}

function attemptOf(attempt: AttemptRecord): AttemptAnswer {
  const {
    startedAtMs,
    connectedAtMs,
    firstByteAtMs,
    lastByteAtMs,
    endedAtMs,
    printerName,
    printerId: _,
    ...rest
  } = attempt
  return {
    ...rest,
    printer: printerName,
    startedAt: iso(startedAtMs),
    connectedAt: iso(connectedAtMs),
    firstByteAt: iso(firstByteAtMs),
    lastByteAt: iso(lastByteAtMs),
    endedAt: toIso(endedAtMs),
  }
}

export function iso(ms: number | null): string | null {
  return ms === null ? null : toIso(ms)
}

// Why a ticket is not taken back, printed again or decided about, in words.
const REFUSALS: Readonly<Record<TicketRefusal, string>> = {
  'unknown-ticket': 'There is no such ticket: jobs list shows those that there are.',
  'unknown-printer': 'The printer is no longer set up: name another one (--printer).',
  printing: 'The ticket is on its way to the printer: wait until that has ended.',
  settled: 'The ticket has ended already: jobs show tells how.',
  'not-parked': 'The ticket does not wait for a person: jobs list --state parked shows those that do.',
  'own-document': 'A test, a slip or the drawer belongs to its printer: make a new one at the other.',
  cancelled: 'Its order was taken back, so it is not printed again.',
  'document-gone': 'What it said is no longer kept, so it cannot be printed again.',
}

/** @returns the ticket's id. @throws ControlRefusal */
function requireDone(act: TicketAct): string {
  if (act.ok) return act.ticketId
  const { reason } = act
  const kind = reason.startsWith('unknown') ? 'not-found' : 'refused'
  throw new ControlRefusal(kind, REFUSALS[reason], { said: { key: `ticket.${reason}` } })
}
