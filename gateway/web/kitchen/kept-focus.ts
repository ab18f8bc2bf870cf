// A keyboard's place is kept: when what had the focus leaves the board, the board has it, not the top of the page.
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

export function useKeptFocus(area: RefObject<HTMLElement | null>): void {
  const had = useRef<Element | null>(null)
  useEffect(() => {
    const element = area.current
    const came = ({ target }: FocusEvent): void => {
      had.current = target instanceof Element ? target : null
    }
    element?.addEventListener('focusin', came)
    return () => element?.removeEventListener('focusin', came)
  }, [area])
  useLayoutEffect(() => {
    if (had.current === null || had.current.isConnected) return
    had.current = null
    if (document.activeElement === document.body) area.current?.focus({ preventScroll: true })
  })
}
