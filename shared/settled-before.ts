// A ticket that a gateway removed because the relay had its result: how all displays of tickets distinguish it. Without zod, for pages.

/** The reason of a ticket that a gateway removed unprinted, because the relay had the result of its job from elsewhere. */
export const SETTLED_BEFORE = 'settled-before'

/**
 * Whether the POSSIBLE DUPLICATE mark is shown to people: it is on a paper of this ticket, or will be. A ticket removed before its first
 * attempt has none.
 */
export function isShownMarked(ticket: {
  possibleDuplicate: boolean
  reason: string | null
  attempts: number
}): boolean {
  return ticket.possibleDuplicate && !(ticket.reason === SETTLED_BEFORE && ticket.attempts === 0)
}
