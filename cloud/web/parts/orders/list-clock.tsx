// The time in a list of orders: one clock for all rows, which redraws only the cells that read it.
import { createContext, type ReactNode, useContext } from 'react'
import { useNow } from '#cloud/web/live.tsx'
import { useSpeech } from '#cloud/web/speech.tsx'

const NowContext = createContext(0)
const TodayContext = createContext('')

export function ListClock({ children }: { children: ReactNode }) {
  const { formats } = useSpeech()
  const nowMs = useNow()
  return (
    <NowContext value={nowMs}>
      <TodayContext value={formats.date(nowMs)}>{children}</TodayContext>
    </NowContext>
  )
}

/** The relay's time, epoch ms; updated every few seconds. */
export const useListNow = (): number => useContext(NowContext)

/** Today's date as the page writes dates. */
export const useToday = (): string => useContext(TodayContext)
