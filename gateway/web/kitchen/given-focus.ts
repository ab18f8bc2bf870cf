// Where the focus goes back to when a question or a drawer closes: to what had it, else to the ticket, else to the board.

/** @param orderId whose ticket has it, unless a control that had it before is still there; null: the board itself */
export function giveFocusBack(before: Element | null, orderId: string | null): void {
  // The board as a whole has the focus once a ticket that had it is gone: that is nobody's place.
  const isPlace = before !== document.body && !before?.matches('.grid')
  if (before instanceof HTMLElement && isPlace && before.isConnected) {
    before.focus({ preventScroll: true })
    if (document.activeElement === before) return
  }
  const ticket = [...document.querySelectorAll<HTMLElement>('.card')].find(
    ({ dataset }) => dataset['order'] === orderId,
  )
  // A script may give a ticket the focus; the tabulator key does not stop there, and Enter on it is the board's.
  if (ticket) ticket.tabIndex = -1
  const place = ticket ?? document.querySelector<HTMLElement>('.grid')
  place?.focus({ preventScroll: true })
}
