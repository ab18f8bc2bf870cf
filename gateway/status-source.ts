// The status of the box, collected from its parts at the moment of a request: for the page, the health routes and the control operations.
import type { LinkView, StatusSource } from '#gateway/http/status-view.ts'
import type { PairingDesk } from '#gateway/link/pairing-desk.ts'
import type { PrintQueue } from '#gateway/queue/print-queue.ts'
import type { GatewayDatabase } from '#gateway/storage/database.ts'
import type { HistoryStore } from '#gateway/storage/history-store.ts'
import type { Clock, EpochMs } from '#shared/clock.ts'
import type { RelayTime } from '#shared/relay-time.ts'

interface Built {
  app: string
  clock: Clock
  pairing: PairingDesk
  queue: PrintQueue
  history: HistoryStore
  time: RelayTime
  db: GatewayDatabase
}

export function statusSource({ app, clock, pairing, queue, history, time, db }: Built): StatusSource {
  const startedMs = clock.now()
  return {
    app,
    get gatewayId() {
      return pairing.facts.gatewayId
    },
    get merchantName() {
      return pairing.facts.merchantName
    },
    isReady: () => queue.started && db.sqlite.open,
    link: () => linkView(pairing, startedMs),
    printers: () => queue.printers(),
    queue: () => queue.waiting(),
    recent: (limit) => history.recent(limit),
    nowMs: () => time.now(),
    wallMs: () => clock.now(),
  }
}

function linkView({ link, stored }: PairingDesk, startedMs: EpochMs): LinkView {
  if (!link) return { state: stored.kind === 'unusable' ? 'unusable' : 'unpaired', sinceMs: startedMs, detail: '' }
  const { connected, ...rest } = link.state
  const { brokerUrl } = stored.kind === 'paired' ? stored.pairing : { brokerUrl: '' }
  return { state: connected ? 'connected' : 'connecting', ...rest, brokerUrl }
}
