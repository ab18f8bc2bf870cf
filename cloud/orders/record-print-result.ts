// Records a gateway's result of a kitchen job: job settled, order moved and event recorded in one commit (T4 of the walk).
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import type { DeliveryStore } from '#cloud/storage/delivery-store.ts'
import { type FinalState, isFinal } from '#cloud/storage/dispatch-states.ts'
import type { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import { holdRow } from '#cloud/storage/hold.ts'
import type { OrderStore } from '#cloud/storage/order-store.ts'
import type { OrdersTable } from '#cloud/storage/schema.ts'
import type { Clock, EpochMs } from '#shared/clock.ts'
import type { GatewayId, MerchantKey, PrintJobId, WebhookId } from '#shared/ids.ts'
import type { Confirmation, TicketEvidence } from '#shared/print-job.ts'
import { advanceOrder } from './advance-order.ts'
import { noteCameBy } from './came-by.ts'
import { printFactsOf } from './print-facts.ts'

export interface PrintResult {
  jobId: PrintJobId
  state: FinalState
  tickets: readonly TicketEvidence[]
  /** Relay's clock, as the gateway keeps it. */
  endedAtMs: EpochMs
  gatewayId: GatewayId
}

export interface RecordPrintResultDeps {
  db: RelayDatabase
  orders: OrderStore
  dispatches: DispatchStore
  deliveries: DeliveryStore
  clock: Clock
  /** Called with each result when it is on disk. For metrics: it must not throw. */
  recorded?: ((result: RecordedResult) => void) | undefined
}

export interface RecordedResult extends Pick<PrintResult, 'state' | 'tickets'> {
  /** The order whose every ticket is on paper with this result. */
  printed: PrintedOrder | null
}

export interface PrintedOrder {
  order: Pick<OrdersTable, 'result' | 'queued_at' | 'fire_at' | 'fired_at'>
  confirmation: Confirmation
  printedAtMs: EpochMs
}

/** What a result has changed. */
interface Settled {
  /** Endpoints with a new delivery. */
  endpointIds: WebhookId[]
  printed: PrintedOrder | null
  /** The order's merchant; null: the job is not of an order. */
  merchantKey: MerchantKey | null
}

const NOTHING_TOLD: Settled = { endpointIds: [], printed: null, merchantKey: null }
const RESULT = { name: 'result' } as const
const PRINT_STATE_AFTER: Record<FinalState, OrdersTable['print_state']> = {
  printed: 'printed',
  uncertain: 'uncertain',
  failed: 'failed',
  expired: 'failed',
  cancelled: 'cancelled',
}

/**
 * `recorded`: on disk, `order.printed` included if every ticket is on paper. `already`: the job has its outcome, nothing changed, so a
 * gateway may report as often as it likes. `unknown`: no such job.
 */
export async function recordPrintResult(
  deps: RecordPrintResultDeps,
  result: PrintResult,
): Promise<'recorded' | 'already' | 'unknown'> {
  // Read first: a repeated result costs no transaction, however often it comes.
  const known = await deps.dispatches.ownerOf(result.jobId)
  if (known === null) return 'unknown'
  if (isFinal(known.state)) return 'already'
  const settled = await deps.db.unit(async (tx) => {
    // Before its job, as everybody does it.
    if (known.orderId !== null) await holdRow(tx, 'orders', known.orderId)
    return settle(deps, tx, result)
  }, RESULT)
  if (settled === null) return 'already'
  deps.deliveries.announce(settled.endpointIds)
  if (settled.merchantKey !== null) deps.orders.changed.notify(settled.merchantKey)
  deps.recorded?.({ state: result.state, tickets: result.tickets, printed: settled.printed })
  return 'recorded'
}

/** @returns null when there is nothing to settle */
async function settle(deps: RecordPrintResultDeps, tx: Tx, result: PrintResult): Promise<Settled | null> {
  const { jobId, state, tickets } = result
  const settled = await deps.dispatches.settle(tx, { jobId, state, evidence: [...tickets], atMs: deps.clock.now() })
  if (settled === null) return null
  if (settled.firedOf !== null) await noteCameBy(deps, tx, { orderId: settled.firedOf, tickets })
  if (settled.orderId === null) return NOTHING_TOLD
  const found = await deps.orders.load(tx, settled.orderId)
  const { order } = found
  // A gateway may fire a scheduled order a moment before our own sweep notes it.
  const fired = { fired_at: order.fired_at ?? order.fire_at }
  const paper =
    state === 'printed' ? printFactsOf(tickets, { notBeforeMs: order.queued_at, nowMs: deps.clock.now() }) : null
  if (paper === null) {
    // `printed` without evidence of paper is not accepted.
    const printState = state === 'printed' ? 'uncertain' : PRINT_STATE_AFTER[state]
    await noteCameBy(deps, tx, { orderId: order.id, tickets })
    await deps.orders.update(tx, order.id, {
      print_state: printState,
      ...(printState === 'cancelled' ? {} : fired),
    })
    return { ...NOTHING_TOLD, merchantKey: order.merchant_id }
  }
  const { endpointIds } = await advanceOrder(tx, deps, {
    target: found,
    move: {
      fact: 'printed',
      atMs: paper.printedAtMs,
      change: { ...fired, print_state: 'printed', print_facts: JSON.stringify(paper.facts) },
      data: () => ({ print: paper.facts }),
    },
  })
  const printed = { order, confirmation: paper.facts.confirmation, printedAtMs: paper.printedAtMs }
  return { endpointIds, printed, merchantKey: order.merchant_id }
}
