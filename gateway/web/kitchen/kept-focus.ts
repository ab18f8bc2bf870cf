// A keyboard's place is kept: by the board when what had the focus leaves it.
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
    if (document.activeElement !== document.body || had.current === null || had.current.isConnected) return
    had.current = null
    area.current?.focus({ preventScroll: true })
  })
}
