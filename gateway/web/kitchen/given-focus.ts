// Restores the focus when a dialog or drawer closes: to the element that had it, otherwise to the ticket, otherwise to the board.

/** @param orderId whose ticket gets the focus if the element is gone; null: the board */
export function giveFocusBack(before: Element | null, orderId: string | null): void {
  // The board as a whole gets the focus when a focused ticket disappears. That is not a place to return to.
  const isPlace = before !== document.body && !before?.matches('.grid')
  if (before instanceof HTMLElement && isPlace && before.isConnected) {
    before.focus({ preventScroll: true })
    if (document.activeElement === before) return
  }
  const ticket = [...document.querySelectorAll<HTMLElement>('.card')].find(
    ({ dataset }) => dataset['order'] === orderId,
  )
  // Makes the ticket focusable by script only: the tab key skips it, and Enter on it is handled by the board.
  if (ticket) ticket.tabIndex = -1
  const place = ticket ?? document.querySelector<HTMLElement>('.grid')
  place?.focus({ preventScroll: true })
}
