// The live feed of the technician's page: its topics.
import type { ReactNode } from 'react'
import type { PrinterAnswer, StatusAnswer, TicketAnswer } from '#gateway/control/answers.ts'
import type { FindingAnswer, HealthAnswer } from '#gateway/control/health-answers.ts'
import { type LiveView, LiveProvider as Provider, useLive as useAnyLive, useServerNow } from '#shared/ui/live.tsx'

/** Topic to key to what it is. */
interface Topics {
  status: Readonly<Record<string, Omit<StatusAnswer, 'printers' | 'time'>>>
  printers: Readonly<Record<string, PrinterAnswer>>
  tickets: Readonly<Record<string, TicketAnswer>>
  /** What is wrong, and whether all parts have reported. */
  findings: Readonly<Record<string, FindingAnswer>>
  health: Readonly<Record<string, Omit<HealthAnswer, 'findings'>>>
  displays: Readonly<Record<string, unknown>>
}

const TOPICS = ['status', 'printers', 'tickets', 'findings', 'health', 'displays'] satisfies (keyof Topics)[]
const STALE = { tickets: ['jobs'] }

/** Mounted while a person is signed in. */
export function LiveProvider({ children }: { children: ReactNode }) {
  return (
    <Provider url="/api/v1/live" topics={TOPICS} stale={STALE}>
      {children}
    </Provider>
  )
}

export const useLive = (): LiveView<Topics> => useAnyLive<Topics>()

/** The box's time; updated every few seconds. */
export const useNow = useServerNow
