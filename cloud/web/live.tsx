// The live feed of the dashboard: what changes at the account, restaurant and environment that the page shows.
import { type ReactNode, useEffect, useState } from 'react'
import { systemClock } from '#shared/clock.ts'
import { type LiveView, LiveProvider as Provider, useLive as useAnyLive, useServerNow } from '#shared/ui/live.tsx'
import { SILENT_AFTER_MS } from '#shared/ui/live-client.ts'
import { usePlace } from './place.tsx'

/** Topic to key to what it is. */
export interface Topics {
  orders: Readonly<Record<string, unknown>>
  gateways: Readonly<Record<string, unknown>>
  printers: Readonly<Record<string, unknown>>
  deliveries: Readonly<Record<string, unknown>>
  status: Readonly<Record<string, unknown>>
}

const TOPICS = ['orders', 'gateways', 'printers', 'deliveries', 'status'] satisfies (keyof Topics)[]
/** Topic to the room of operations that a change of it makes stale. */
const STALE = { orders: 'orders', gateways: 'kitchens', printers: 'kitchens', deliveries: 'deliveries' }

/** Mounted while somebody is signed in. Another place has another feed. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const { account, merchantId, environment } = usePlace()
  const query = new URLSearchParams({
    ...(account === null ? {} : { account: account.accountId }),
    ...(merchantId === null ? {} : { merchant: merchantId }),
    environment,
  })
  const url = `/dashboard/api/live?${query}`
  return (
    <Provider key={url} url={url} topics={TOPICS} stale={STALE}>
      {children}
    </Provider>
  )
}

export const useLive = (): LiveView<Topics> => useAnyLive<Topics>()

/** The relay's time, anew every few seconds. */
export const useNow = useServerNow

/** When the last sign of life came, by this browser's clock; null: the feed is not silent. */
export function useSilentSince(): number | null {
  const { state } = useLive()
  const [since, setSince] = useState<number | null>(null)
  useEffect(() => {
    setSince(state === 'silent' ? systemClock.now() - SILENT_AFTER_MS : null)
  }, [state])
  return since
}
