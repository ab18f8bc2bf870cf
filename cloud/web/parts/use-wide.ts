// Whether the window has room for tables; else their rows are cards.
import { useSyncExternalStore } from 'react'

const WIDE = '(min-width: 50rem)'

export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches)
}

function subscribe(listen: () => void): () => void {
  const query = matchMedia(WIDE)
  query.addEventListener('change', listen)
  return () => query.removeEventListener('change', listen)
}
