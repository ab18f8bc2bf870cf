// The live feed of the dashboard: changes of the account, restaurant and environment that the page shows.
import { type ReactNode, useEffect, useState } from 'react'
import type { LiveAnswers, LiveTopic } from '#cloud/control/live-answers.ts'
import { systemClock } from '#shared/clock.ts'
import {
  type LiveView,
  LiveProvider as Provider,
  useLive as useAnyLive,
  useLiveState,
  useServerNow,
} from '#shared/ui/live.tsx'
import { SILENT_AFTER_MS } from '#shared/ui/live-client.ts'
import { WEBHOOK_ROOMS } from './operations.ts'
import { usePlace } from './place.tsx'
import { randomBytes } from './random.ts'

const TOPICS = ['orders', 'gateways', 'printers', 'deliveries', 'calls', 'status'] satisfies LiveTopic[]
/** Topic to the rooms of operations that a change of it makes stale. */
const STALE = {
  orders: ['orders'],
  gateways: ['kitchens'],
  printers: ['kitchens'],
  deliveries: WEBHOOK_ROOMS,
  calls: ['calls', 'tables', 'voicemails'],
} satisfies Partial<Record<LiveTopic, string[]>>

/** A relay takes only so many feeds: a page that is refused one asks this often. */
const SLOW_MS = 15_000

/** Of this page: a newer feed takes the place of its older one. */
const TAB = randomBytes(8)

/** Mounted while a person is signed in. Another account, restaurant or environment has another feed; without a restaurant there is none. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const { account, merchantId, environment } = usePlace()
  const url =
    account === null || merchantId === null
      ? null
      : `/dashboard/api/live?${new URLSearchParams({ account: account.accountId, merchant: merchantId, environment, tab: TAB })}`
  return (
    <Provider key={url} url={url} topics={TOPICS} stale={STALE} slowMs={SLOW_MS}>
      {children}
    </Provider>
  )
}

/** What the role may not see is empty. */
export const useLive = (): LiveView<LiveAnswers> => useAnyLive<LiveAnswers>()

export { useLiveState }

/** The relay's time; updated every few seconds. */
export const useNow = useServerNow

/** When the last sign of life came, by this browser's clock; null: the feed is not silent. */
export function useSilentSince(): number | null {
  const state = useLiveState()
  const [since, setSince] = useState<number | null>(null)
  useEffect(() => {
    setSince(state === 'silent' ? systemClock.now() - SILENT_AFTER_MS : null)
  }, [state])
  return since
}
