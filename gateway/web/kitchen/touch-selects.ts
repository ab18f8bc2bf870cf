// A touch anywhere on a ticket selects it: finger and bump bar mean the same ticket.

/** A swipe is no touch: it ends before it comes here. @returns takes it back */
export function onTicketTouch(area: HTMLElement, select: (orderId: string) => void): () => void {
  const touched = ({ target }: MouseEvent): void => {
    const ticket = target instanceof Element ? target.closest<HTMLElement>('[data-order]') : null
    const orderId = ticket?.dataset['order']
    if (orderId !== undefined) select(orderId)
  }
  area.addEventListener('click', touched)
  return () => area.removeEventListener('click', touched)
}
