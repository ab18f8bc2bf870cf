// A search that goes on by itself: the box answers within its time, and the page asks on until its list is full or nothing is left.
import { useEffect, useState } from 'react'
import type { OrderAnswer, OrderPage } from '#gateway/control/order-answers.ts'
import { perform } from '#gateway/web/admin/api.ts'
import type { ApiError } from '#shared/ui/api.ts'

interface Asked {
  search: string
  limit: number
  state?: 'waiting' | 'trouble' | 'scheduled' | 'printed' | 'ready' | 'voided'
}

export interface Further {
  orders: readonly OrderAnswer[]
  next: number | null
  lookedBackTo: string | null
  isLooking: boolean
  error: ApiError | null
  stop: () => void
  go: () => void
}

/** The results after the first page, as far as they are loaded. */
interface Behind {
  orders: readonly OrderAnswer[]
  next: number | null
  lookedBackTo: string | null
}

/** @param first the page that the list begins with @param isAnswered false: that is the answer to another question, shown meanwhile */
export function useFurtherPages(asked: Asked, first: OrderPage, isAnswered: boolean): Further {
  const [behind, setBehind] = useState<Behind | null>(null)
  const [isStopped, setStopped] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const orders = behind === null ? first.orders : merged(first.orders, behind.orders)
  const { next, lookedBackTo } = behind ?? first
  const isLooking = isAnswered && !isStopped && error === null && next !== null && orders.length < asked.limit
  const { search, limit, state } = asked
  const found = behind?.orders.length ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again only when there is another place to go on from
  useEffect(() => {
    if (!isLooking || next === null) return
    let isWanted = true
    const left = Math.max(1, limit - first.orders.length - found)
    perform('orders.list', { search, limit: left, before: next, ...(state === undefined ? {} : { state }) }).then(
      (page) => {
        if (isWanted) setBehind({ ...page, orders: [...(behind?.orders ?? []), ...page.orders] })
      },
      (refused: ApiError) => {
        if (isWanted) setError(refused)
      },
    )
    return () => {
      isWanted = false
    }
  }, [isLooking, next])
  return {
    ...{ orders, next, lookedBackTo, isLooking, error },
    stop: () => setStopped(true),
    go: () => {
      setError(null)
      setStopped(false)
    },
  }
}

/** The first page is requested again while the list is open: an order that arrived meanwhile must not make another appear twice. */
function merged(first: readonly OrderAnswer[], behind: readonly OrderAnswer[]): OrderAnswer[] {
  const known = new Set(first.map(({ printJobId }) => printJobId))
  return [...first, ...behind.filter(({ printJobId }) => !known.has(printJobId))]
}
