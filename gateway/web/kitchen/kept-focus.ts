// A keyboard's place is kept: by what had the focus when it is moved on the board, by the board when it leaves.
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

export function useKeptFocus(area: RefObject<HTMLElement | null>): void {
  const had = useRef<Element | null>(null)
  // Browsers without moveBefore take the focus from an element that is moved.
  const before = document.activeElement
  useEffect(() => {
    const element = area.current
    const came = ({ target }: FocusEvent): void => {
      had.current = target instanceof Element ? target : null
    }
    element?.addEventListener('focusin', came)
    return () => element?.removeEventListener('focusin', came)
  }, [area])
  useLayoutEffect(() => {
    if (document.activeElement !== document.body) return
    if (before instanceof HTMLElement && before !== document.body && area.current?.contains(before)) {
      before.focus({ preventScroll: true })
    } else if (had.current !== null && !had.current.isConnected) {
      had.current = null
      area.current?.focus({ preventScroll: true })
    }
  })
}
