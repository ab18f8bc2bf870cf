// The test order that this browser sent last, followed while its screens have it: a reloaded page continues with the numbers of the same paper.
import type { TestOrderAnswer } from '#gateway/control/answers.ts'
import { useNow } from '#gateway/web/admin/live.tsx'
import { useRead } from '#gateway/web/admin/operations.ts'
import { fromIso } from '#shared/clock.ts'
import { remember, remembered } from '#shared/ui/browser.ts'

const ASK_EVERY_MS = 1_000
/** Then the screens have let it go. */
const FOLLOWED_FOR_MS = 30 * 60_000
const KEY = 'ticketrail.test-order'

/** @returns the id of its job; empty: this browser has sent none */
export function lastTestOrder(): string {
  return remembered(KEY) ?? ''
}

export function keepTestOrder(printJobId: string): void {
  remember(KEY, printJobId)
}

/** How far it has come, asked again also when it was green: a printer may go out a minute later. `order`: null while none is known or it is too old. */
export function useFollowed(printJobId: string) {
  const now = useNow()
  const isOld = (order: TestOrderAnswer | undefined): boolean =>
    order !== undefined && now - (fromIso(order.receivedAt) ?? now) > FOLLOWED_FOR_MS
  const progress = useRead(
    'orders.progress',
    { printJobId },
    { enabled: printJobId !== '', everyMs: printJobId === '' ? false : ASK_EVERY_MS },
  )
  const order = progress.data && !isOld(progress.data) ? progress.data : null
  return { order, error: progress.error, refetch: progress.refetch }
}
