// Which orders that were called off somebody has opened on this board, and where the focus is after that.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

export interface VoidFolds {
  opened: ReadonlySet<string>
  /** Opens or closes it. @param isByKey the focus stays on what was pressed, wherever that stands then: the next Enter acknowledges nothing unread */
  toggle: (orderId: string, isByKey: boolean) => void
}

export function useVoidFolds(area: RefObject<HTMLElement | null>): VoidFolds {
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set())
  const pressed = useRef<string | null>(null)
  const [toggle] = useState(() => (orderId: string, isByKey: boolean) => {
    pressed.current = isByKey ? orderId : null
    setOpened((before) => {
      const next = new Set(before)
      if (!next.delete(orderId)) next.add(orderId)
      return next
    })
  })
  useLayoutEffect(() => {
    const orderId = pressed.current
    if (orderId === null) return
    const cards = [...(area.current?.querySelectorAll<HTMLElement>('.card') ?? [])]
    const button = cards.find(({ dataset }) => dataset['order'] === orderId)?.querySelector<HTMLElement>('.fold')
    // What waits to be measured is drawn a moment later.
    if (button?.getAttribute('aria-expanded') !== String(opened.has(orderId))) return
    button.focus({ preventScroll: true })
    pressed.current = null
  })
  return { opened, toggle }
}
