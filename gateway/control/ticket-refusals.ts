// Why a ticket is not taken back, printed again or decided about, in words.
import type { TicketAct, TicketRefusal } from '#gateway/storage/ticket-acts.ts'
import { ControlRefusal } from './control-refusal.ts'

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
export function requireDone(act: TicketAct): string {
  if (act.ok) return act.ticketId
  const { reason } = act
  const kind = reason.startsWith('unknown') ? 'not-found' : 'refused'
  throw new ControlRefusal(kind, REFUSALS[reason], { said: { key: `ticket.${reason}` } })
}
