// A ticket that a gateway took out because the relay had its result: how all who show tickets tell it apart. Without zod, for pages.

/** The reason of a ticket that a gateway took out unprinted, because the relay had the result of its job from elsewhere. */
export const SETTLED_BEFORE = 'settled-before'

/**
 * Whether people are told of the POSSIBLE DUPLICATE mark: it is on a paper of this ticket, or will be. What was taken out before its first
 * attempt has none.
 */
export function isShownMarked(ticket: {
  possibleDuplicate: boolean
  reason: string | null
  attempts: number
}): boolean {
  return ticket.possibleDuplicate && !(ticket.reason === SETTLED_BEFORE && ticket.attempts === 0)
}
