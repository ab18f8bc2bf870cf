// The ticket on its way from the store to the worker that waits for it.

import type { Deliver } from '#gateway/storage/ticket-door.ts'
import type { ClaimedTicket } from '#gateway/storage/ticket-rows.ts'

export class Handover {
  ticket: ClaimedTicket | null = null
  /** Aborted when the ticket comes, or to stop waiting. */
  readonly wake = new AbortController()
  readonly deliver: Deliver = (ticket) => {
    this.ticket = ticket
    // With a reason, because without one an exception with its stack is made for each ticket.
    this.wake.abort('ticket')
  }
}
