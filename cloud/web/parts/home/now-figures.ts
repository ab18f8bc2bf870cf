// The data of the live feed as the few figures of the first page. Pure.

import type { LiveAnswers } from '#cloud/control/live-answers.ts'
import { fromIso } from '#shared/clock.ts'

export interface OrderFigures {
  open: number
  /** Of the open ones. */
  toPrint: number
  ready: number
  scheduled: number
}

const OPEN: ReadonlySet<string> = new Set(['accepted', 'printed', 'ready'])

export function orderFigures(orders: LiveAnswers['orders'], nowMs: number): OrderFigures {
  const open = Object.values(orders).filter(({ status }) => OPEN.has(status))
  const isLater = ({ fireAt }: { fireAt: string | null }) => fireAt !== null && (fromIso(fireAt) ?? 0) > nowMs
  const now = open.filter((order) => !isLater(order))
  return {
    open: now.length,
    toPrint: now.filter(({ printState }) => printState === 'pending').length,
    ready: now.filter(({ status }) => status === 'ready').length,
    scheduled: open.length - now.length,
  }
}

export interface WebhookFigures {
  taking: number
  failing: number
  disabled: number
}

export function webhookFigures(endpoints: LiveAnswers['deliveries']): WebhookFigures {
  const all = Object.values(endpoints)
  const disabled = all.filter(({ status }) => status === 'disabled').length
  const failing = all.filter(({ status, failingSince }) => status === 'enabled' && failingSince !== null).length
  return { taking: all.length - disabled - failing, failing, disabled }
}
