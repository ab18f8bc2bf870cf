// Short messages about completed actions, at the edge of the page; screen readers announce them.
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react'
import { type Cancel, systemClock } from '#shared/clock.ts'

const SHOWN_MS = 6_000
const NoticeContext = createContext<(words: string) => void>(() => undefined)

export function NoticeProvider({ children }: { children: ReactNode }) {
  const [words, setWords] = useState('')
  const cancel = useRef<Cancel>(() => undefined)
  const say = useCallback((next: string) => {
    cancel.current()
    setWords(next)
    cancel.current = systemClock.after(SHOWN_MS, () => setWords(''))
  }, [])
  return (
    <NoticeContext.Provider value={say}>
      {children}
      <div role="status" className="notice">
        {words && <p>{words}</p>}
      </div>
    </NoticeContext.Provider>
  )
}

export const useNotice = () => useContext(NoticeContext)
