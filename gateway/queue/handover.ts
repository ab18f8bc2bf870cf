// Passes a ticket from the store to the worker that waits for it.

import type { Deliver } from '#gateway/storage/ticket-door.ts'
import type { ClaimedTicket } from '#gateway/storage/ticket-rows.ts'

export class Handover {
  ticket: ClaimedTicket | null = null
  /** Aborted when the ticket arrives, or to stop waiting. */
  readonly wake = new AbortController()
  readonly deliver: Deliver = (ticket) => {
    this.ticket = ticket
    // With a reason, since without one an exception with its stack is created for each ticket.
    this.wake.abort('ticket')
  }
}
