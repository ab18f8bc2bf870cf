// The box's public status for people and programs on the local network. No customer data, no secrets.

import type { PrinterView } from '#gateway/queue/print-queue.ts'
import type { RecentTicket } from '#gateway/storage/history-store.ts'
import { toIso } from '#shared/clock.ts'
import type { LinkTrouble } from '#shared/wire/gateway-claim.ts'

export interface LinkView {
  /** `unpaired`: no pairing file. `unusable`: there is one, but it cannot be read. */
  state: 'connected' | 'connecting' | 'unpaired' | 'unusable'
  sinceMs: number
  detail: string
  /** Of `connecting`: what waiting will not mend. */
  trouble?: LinkTrouble | null
  /** Where it goes; absent: it has nowhere to go. */
  brokerUrl?: string
}

/** What the page and the routes read; the composition root answers. */
export interface StatusSource {
  app: string
  gatewayId: string
  merchantName: string
  /** Database open and queue started: tickets are taken and printed. */
  isReady(): boolean
  link(): LinkView
  printers(): PrinterView[]
  queue(): { queued: number; held: number; unreported: number }
  recent(limit: number): RecentTicket[]
  /** Relay time, of which the tickets' instants are. */
  nowMs(): number
  /** Wall clock, of which the link's and the printers' instants are. */
  wallMs(): number
}

export const RECENT_TICKETS = 20

/** The body of GET /api/status; instants are ISO 8601. */
export function statusBody(source: StatusSource): Record<string, unknown> {
  const link = source.link()
  return {
    app: source.app,
    gatewayId: source.gatewayId,
    merchantName: source.merchantName,
    ready: source.isReady(),
    time: toIso(source.nowMs()),
    link: { state: link.state, trouble: link.trouble ?? null, detail: link.detail, since: toIso(link.sinceMs) },
    printers: source
      .printers()
      .map(({ sinceMs, stranger: _, place: __, ...printer }) => ({ ...printer, since: toIso(sinceMs) })),
    queue: source.queue(),
    tickets: source.recent(RECENT_TICKETS).map(ticketBody),
  }
}

function ticketBody({ receivedAtMs, notBeforeMs, settledAtMs, ...ticket }: RecentTicket): Record<string, unknown> {
  const iso = (ms: number | null): string | null => (ms === null ? null : toIso(ms))
  return { ...ticket, receivedAt: iso(receivedAtMs), notBefore: iso(notBeforeMs), settledAt: iso(settledAtMs) }
}
