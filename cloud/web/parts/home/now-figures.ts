// What the live feed says, as the few figures of the first page. Pure.

import type { LiveAnswers, LiveGateway, LivePrinter } from '#cloud/control/live-answers.ts'
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

export interface KitchenLine {
  gateway: LiveGateway
  printers: number
  /** Those of them that are not there. */
  away: number
}

/** The worst first: a silent box, then one whose printer is away, then the others by name. */
export function kitchenLines({ gateways, printers }: Pick<LiveAnswers, 'gateways' | 'printers'>): KitchenLine[] {
  const lines = Object.values(gateways).map((gateway) => {
    const own = Object.values(printers).filter(({ gatewayId }) => gatewayId === gateway.gatewayId)
    return { gateway, printers: own.length, away: own.filter(isAway).length }
  })
  return lines.sort((a, b) => weight(b) - weight(a) || (a.gateway.name < b.gateway.name ? -1 : 1))
}

const isAway = ({ state }: LivePrinter): boolean => state === 'offline'

function weight({ gateway, away }: KitchenLine): number {
  if (gateway.presence === 'offline') return 2
  return away > 0 ? 1 : 0
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
