// A failure of `npm run ticket` that is printed in plain words, without a stack: which file, which field, what it must be.

export class TicketError extends Error {
  override readonly name = 'TicketError'
}
