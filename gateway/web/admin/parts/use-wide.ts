// Whether the window is wide enough for a table with a column for each printer and screen.
import { useSyncExternalStore } from 'react'

const WIDE = '(min-width: 56rem)'

export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches)
}

function subscribe(listen: () => void): () => void {
  const query = matchMedia(WIDE)
  query.addEventListener('change', listen)
  return () => query.removeEventListener('change', listen)
}
