// Walk 2/10: comes from cloud/api/v1/order-routes.ts, goes on to cloud/relay/order-dispatcher.ts. Takes an order exactly once: order, kitchen job and event in one commit.
import { stockNeeds } from '#cloud/catalog/stock-needs.ts'
import { takeStock } from '#cloud/catalog/take-stock.ts'
import { boardJobEndMs, boardJobId, hasDisplays } from '#cloud/storage/board-job.ts'
import type { CatalogStore } from '#cloud/storage/catalog-store.ts'
import type { ChannelStore } from '#cloud/storage/channel-store.ts'
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import type { DeliveryStore } from '#cloud/storage/delivery-store.ts'
import { AT_ONCE, type DispatchStore } from '#cloud/storage/dispatch-store.ts'
import { jobText } from '#cloud/storage/job-text.ts'
import type { LocationStore } from '#cloud/storage/location-store.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { FirstOrder, OrderStore } from '#cloud/storage/order-store.ts'
import type { PosOutboxStore } from '#cloud/storage/pos-outbox-store.ts'
import type { PrintJobStore } from '#cloud/storage/print-job-store.ts'
import type { OrdersTable } from '#cloud/storage/schema.ts'
import { recordEvent } from '#cloud/webhooks/record-event.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { newId, type PrintJobId, type ServiceOrderId, type WebhookId } from '#shared/ids.ts'
import { type Logger, logWalk } from '#shared/log.ts'
import { isDueAtOnce, laterCourses } from '#shared/tickets/courses.ts'
import type { InjectOrder, OrderResult } from '#shared/wire/api/orders.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import { acceptedState } from './accepted-order.ts'
import { bodyHash, isHashOf } from './body-hash.ts'
import { requireCents } from './check-total.ts'
import { type FirstTries, firstAnswerOf } from './first-try.ts'
import { kitchenLine, kitchenOrder } from './kitchen-order.ts'
import { type OrderOrigin, sealOrigin } from './order-origin.ts'
import { orderResource } from './order-resource.ts'
import { type OrderPlan, planOrder } from './plan-order.ts'
import type { PosAdapters } from './pos-adapter.ts'
import { type OrderRoute, orderRoute } from './print-route.ts'

/**
 * Stores the order and everything that follows from it, or returns the answer of the first request with this orderId.
 * When it resolves, the order is on disk and the kitchen link and the webhook worker have been woken.
 * @throws ServiceError order.duplicate_id (409), request.too_large (413) and the refusals of `planOrder`; a refused orderId stays free
 */
export async function injectOrder(
  deps: InjectDeps,
  merchant: MerchantRecord,
  { body, traceparent = null, beside }: { body: InjectOrder } & InjectOptions,
): Promise<InjectOutcome> {
  const startedMs = deps.clock.monotonicMs()
  const hash = bodyHash(body)
  const plan = await planUnlessTaken(deps, merchant, body)
  if ('taken' in plan) return replayOf(deps, plan.taken, body)
  const route = await routeNow(deps, body, plan)
  const isOnBoard = body.print || hasDisplays(await deps.printJobs.kitchensAt(plan.locationId))
  const stored = await storeOnce(deps, {
    merchant,
    body,
    hash,
    plan,
    isOnBoard,
    route,
    traceparent,
    beside,
  })
  if ('taken' in stored) return replayOf(deps, stored.taken, body)

  const { order } = stored
  const posResult = order.pos_order_id === null ? deps.firstTries.wait(order.id) : null
  wakeAll(deps, merchant, stored)
  const ms = deps.clock.monotonicMs() - startedMs
  const kitchenOffline = route?.isHeldUp ?? false
  logWalk(deps.log, { ...lineOf(order, traceparent), ms, kitchenOffline }, 'order, kitchen job and event are on disk')
  return {
    kind: kitchenOffline ? 'printer-offline' : 'accepted',
    serviceOrderId: order.id,
    printJobId: order.print_job_id,
    result: (await posResult) ?? order.result,
  }
}

function lineOf({ id, print_job_id }: OrdersTable, traceparent: string | null) {
  const ids = { serviceOrderId: id, printJobId: print_job_id ?? undefined }
  return { walk: '2/10', ...ids, traceparent: traceparent ?? undefined }
}

export interface InjectOptions {
  /** Of the call: the parent of the order's spans. */
  traceparent?: string | null
  /** What else is written in the order's unit, with the text of its result; not for a repetition. It may refuse. */
  beside?: ((tx: Tx, result: string) => Promise<void>) | undefined
}

export interface InjectDeps {
  db: RelayDatabase
  orders: OrderStore
  catalog: CatalogStore
  locations: LocationStore
  channels: ChannelStore
  pos: PosAdapters
  firstTries: FirstTries
  dispatches: DispatchStore
  /** Seals the origin of an order. */
  secretBox: SecretBox
  printJobs: PrintJobStore
  posOutbox: PosOutboxStore
  deliveries: DeliveryStore
  clock: Clock
  log: Logger
}

/** `result` is the JSON text of the OrderResult as it is answered, now and at every replay. */
export interface InjectOutcome {
  /** `printer-offline`: stored and queued like `accepted`, but the kitchen is known to be unreachable now. */
  kind: 'accepted' | 'replayed' | 'printer-offline'
  serviceOrderId: ServiceOrderId
  printJobId: PrintJobId | null
  result: string
}

/** What T1 has written, and what waits after its commit. */
interface Stored {
  order: OrdersTable
  isDispatched: boolean
  /** Endpoints with a new delivery. */
  endpointIds: WebhookId[]
  channelsChanged: boolean
}

interface NewOrder {
  merchant: MerchantRecord
  body: InjectOrder
  hash: string
  plan: OrderPlan
  /** The kitchen gets it: on paper, or on its displays alone. */
  isOnBoard: boolean
  /** Null: nothing is printed now. */
  route: OrderRoute | null
  traceparent: string | null
  beside: InjectOptions['beside']
}

/** How long before fireAt a gateway gets the order, so that it fires without internet. */
export const HAND_OVER_AHEAD_MS = 24 * 3_600_000

/** Stored instead of the hash when only an order's id is kept. */
const DELETED = ''
const USED_BY_DELETED =
  'for an order that was deleted after its time, so its result is not kept. For a new order use a new orderId'
const USED_BY_ANOTHER =
  'for an order with another body. To repeat it, send the same body; for a new order use a new orderId'

/** @throws ServiceError order.duplicate_id (409): the first order with this orderId had another body, or is deleted */
export function requireSameOrder(first: FirstOrder, body: InjectOrder): void {
  if (isHashOf(first.body_hash, body)) return
  const message = `This orderId was already used ${first.body_hash === DELETED ? USED_BY_DELETED : USED_BY_ANOTHER}.`
  throw new ServiceError('order.duplicate_id', { message, extra: { serviceOrderId: first.id } })
}

async function replayOf(deps: InjectDeps, first: FirstOrder, body: InjectOrder): Promise<InjectOutcome> {
  requireSameOrder(first, body)
  const result = await firstAnswerOf(deps, first)
  return { kind: 'replayed', serviceOrderId: first.id, printJobId: first.print_job_id, result }
}

function wakeAll(
  deps: InjectDeps,
  merchant: MerchantRecord,
  { order, isDispatched, endpointIds, channelsChanged }: Stored,
): void {
  if (isDispatched) deps.dispatches.changed.notify(order.location_id)
  deps.deliveries.announce(endpointIds)
  deps.orders.changed.notify(merchant.key)
  if (channelsChanged) deps.channels.changed.notify()
  deps.pos[merchant.pos].wake()
}

/** The plan. What would be refused today may have been taken before: then the first order counts and not today's catalog or clock. */
async function planUnlessTaken(
  deps: InjectDeps,
  merchant: MerchantRecord,
  body: InjectOrder,
): Promise<OrderPlan | { taken: FirstOrder }> {
  try {
    return await planOrder(deps, merchant, { body, nowMs: deps.clock.now() })
  } catch (refusal) {
    const taken = await deps.orders.first(merchant, body.orderId)
    if (taken === null) throw refusal
    return { taken }
  }
}

/** T1. When the orderId is taken nothing is stored, and the first order is on disk when this resolves: it came with this COMMIT or before. */
function storeOnce(deps: InjectDeps, input: NewOrder): Promise<Stored | { taken: FirstOrder }> {
  const { merchant, body, plan } = input
  const work = async (tx: Tx) => {
    const taken = await deps.orders.first(merchant, body.orderId, tx)
    if (taken !== null) return { taken }
    const needs = stockNeeds(body.items, plan.catalog)
    const stock = needs.size === 0 ? null : await takeStock(tx, deps, { merchant, needs, atMs: plan.queuedAtMs })
    // The point of sale gets the same as the client, except its own number.
    const unnumbered = numbered(orderRow(input, stock?.taken ?? null), null, input.route)
    const posOrderId = await deps.pos[merchant.pos].accepted(tx, merchant, unnumbered)
    const order = posOrderId === null ? unnumbered : numbered(unnumbered, posOrderId, input.route)
    await deps.orders.insert(tx, order, { source: body.source, traceparent: input.traceparent })
    await insertDispatch(deps, tx, { input, order })
    const { endpointIds } = await recordAccepted(deps, tx, { input, order })
    await input.beside?.(tx, order.result)
    return {
      order,
      isDispatched: input.isOnBoard,
      endpointIds: [...endpointIds, ...(stock?.endpointIds ?? [])],
      channelsChanged: stock?.channelsChanged ?? false,
    }
  }
  return deps.db.unit(work, { name: 'inject', sharesSavepoint: true, againOnConflict: true })
}

/** By the lines that are due now: a course that is held waits anyway. Null: nothing is printed now. */
export async function routeNow(
  deps: Pick<InjectDeps, 'printJobs'>,
  body: InjectOrder,
  plan: OrderPlan,
): Promise<OrderRoute | null> {
  if (!body.print || !plan.dueNow) return null
  const held = laterCourses(body.items)
  const due = body.items.filter((item) => isDueAtOnce(held, item)).map((item) => kitchenLine(item, plan.catalog))
  const { source, orderType } = body
  const order = { locationId: plan.locationId, source, orderType: orderType || undefined, due }
  return orderRoute(await deps.printJobs.kitchensAt(plan.locationId), order)
}

async function insertDispatch(
  deps: InjectDeps,
  tx: Tx,
  { input, order }: { input: NewOrder; order: OrdersTable },
): Promise<void> {
  const { plan, merchant, body, isOnBoard } = input
  const ids = { serviceOrderId: order.id, posOrderId: order.pos_order_id }
  const jobId = order.print_job_id ?? boardJobId(order.id)
  const kind = body.print ? 'order' : 'board'
  const ofKitchen = kitchenOrder(ids, merchant, { body, plan })
  const of = { jobId, merchantKey: order.merchant_id, kind, order: ofKitchen } as const
  const origin = sealOrigin(deps.secretBox, of, originOf(order))
  const doc: JobDoc = { kind, order: ofKitchen, origin, ...(input.traceparent && { traceparent: input.traceparent }) }
  // An order that no display can show now may be printed later.
  if (!isOnBoard) return void jobText(doc)
  const notBeforeMs = plan.dueNow ? null : plan.fireAtMs
  await deps.dispatches.insert(tx, {
    id: jobId,
    orderId: order.id,
    locationId: plan.locationId,
    doc,
    availableAtMs: notBeforeMs === null ? AT_ONCE : notBeforeMs - HAND_OVER_AHEAD_MS,
    notBeforeMs,
    expiresAtMs: body.print ? null : boardJobEndMs(order),
    createdAtMs: plan.queuedAtMs,
  })
}

export function originOf(order: OrdersTable): OrderOrigin {
  const { account_id: accountId, body_hash: bodyHash, total_cents: totalCents, tip_cents: tipCents } = order
  return { accountId, bodyHash, totalCents, tipCents }
}

function recordAccepted(
  deps: InjectDeps,
  tx: Tx,
  { input: { merchant, body }, order }: { input: NewOrder; order: OrdersTable },
) {
  return recordEvent(tx, deps, {
    type: 'order.accepted',
    accountId: merchant.accountId,
    merchantKey: merchant.key,
    merchantId: merchant.publicId,
    environment: merchant.environment,
    subjectId: order.id,
    sequence: order.sequence,
    atMs: order.queued_at,
    data: { order: orderResource(order, merchant.publicId, { body }) },
  })
}

/** The row with its result, which also contains the posOrderId and whether nothing can print it now. */
function numbered(row: OrdersTable, posOrderId: string | null, route: NewOrder['route']): OrdersTable {
  const ways = route?.ways ?? null
  const result: OrderResult = {
    status: 'accepted',
    serviceOrderId: row.id,
    posOrderId,
    queuedAt: toIso(row.queued_at),
    estimatedReadyAt: toIso(row.estimated_ready_at),
    printJobId: row.print_job_id,
    ...(ways === null ? {} : { ways }),
    ...(route?.isHeldUp === true ? { printPending: true } : {}),
  }
  return { ...row, pos_order_id: posOrderId, result: JSON.stringify(result) }
}

function orderRow({ merchant, body, hash, plan }: NewOrder, taken: Record<string, number> | null): OrdersTable {
  const id = newId('ord', plan.queuedAtMs)
  const printJobId = body.print ? newId('pj', plan.queuedAtMs) : null
  return {
    id,
    account_id: merchant.accountId,
    merchant_id: merchant.key,
    location_id: plan.locationId,
    client_order_id: body.orderId,
    body_hash: hash,
    body: JSON.stringify(body),
    result: '',
    item_names: JSON.stringify(Object.fromEntries([...plan.catalog.values()].map((row) => [row.ums_id, row.name]))),
    total_cents: plan.totalCents,
    tip_cents: body.tip === undefined ? 0 : requireCents(body.tip),
    pos_order_id: null,
    ...acceptedState(printJobId, plan.dueNow),
    handed_back_at: null,
    queued_at: plan.queuedAtMs,
    estimated_ready_at: plan.estimatedReadyAtMs,
    fire_at: plan.fireAtMs,
    fired_at: plan.dueNow ? plan.queuedAtMs : null,
    stock_taken: taken === null || Object.keys(taken).length === 0 ? null : JSON.stringify(taken),
  }
}
