// Whether the window is wide enough for a table; else its rows are cards.
import { useCallback, useSyncExternalStore } from 'react'

/** @param fromRem the least width that is wide */
export function useWide(fromRem: number): boolean {
  const query = `(min-width: ${fromRem}rem)`
  const subscribe = useCallback(
    (listen: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', listen)
      return () => list.removeEventListener('change', listen)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
