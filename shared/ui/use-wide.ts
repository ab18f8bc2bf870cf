// Whether the window is wide enough for a table; otherwise its rows are shown as cards.
import { useCallback, useSyncExternalStore } from 'react'

/** @param fromRem the minimum width, in rem */
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
