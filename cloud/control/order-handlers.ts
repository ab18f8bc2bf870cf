// Orders as they are read: lists, one of them, what an id belongs to, what an order would come to.
import { checkOrder } from '#cloud/orders/check-order.ts'
import { readOrder } from '#cloud/orders/list-orders.ts'
import { printJobsOfOrder } from '#cloud/orders/print-jobs.ts'
import { withoutCustomers } from '#cloud/requests/hide-fields.ts'
import { type Cursor, ListCursors } from '#cloud/storage/cursor.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { OrderFilter } from '#cloud/storage/order-list.ts'
import type { IdOwner, OrderTraceStore } from '#cloud/storage/order-trace-store.ts'
import type { OrdersTable } from '#cloud/storage/schema.ts'
import { msOf, toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { folded } from '#shared/folded.ts'
import { isId, type ServiceOrderId } from '#shared/ids.ts'
import type { OrderStatus } from '#shared/order.ts'
import { orderNumber } from '#shared/tickets/order-number.ts'
import { orderIdField } from '#shared/wire/api/orders.ts'
import { accountOf } from './act.ts'
import type { ControlContext } from './context.ts'
import { masksCustomers } from './customer-mask.ts'
import { type Handlers, merchantOf } from './handler.ts'
import { mayAct } from './may-act.ts'
import type { OperationInput } from './operations.ts'
import type { FoundAnswer, WaitingKitchenAnswer } from './order-list.ts'
import { proofOf, rowOf, type ViewOf } from './order-view.ts'

const PAGE = 50
const OPEN: readonly OrderStatus[] = ['accepted', 'printed', 'ready']
/** Letters from which on a part of an id or a name finds orders. */
const SHORTEST_PART = 3
/** As long as a number of the register can be. */
const NUMBER = /^\d{1,6}$/

type ListInput = OperationInput<'orders.list'>

export const ORDER_HANDLERS: Pick<Handlers, 'orders.list' | 'orders.get' | 'orders.find' | 'orders.check'> = {
  'orders.list': async (context, doing, input) => {
    const merchant = merchantOf(doing)
    const view: ViewOf = { merchantId: merchant.publicId, isMasked: masksCustomers(doing) }
    const { rows, nextCursor } = await pageOf(context, merchant, { ...input, seesGuests: !view.isMasked })
    // Further pages are history.
    const waiting = input.cursor === undefined ? await waitingKitchens(context, merchant) : []
    return { rows: rows.map((row) => rowOf(row, view)), nextCursor, waiting, currency: merchant.currency }
  },

  'orders.get': async (context, doing, { serviceOrderId }) => {
    const merchant = merchantOf(doing)
    const isMasked = masksCustomers(doing)
    const { order, row } = await readOrder(context, merchant, serviceOrderId)
    const location = await context.locations.find(row.location_id)
    return {
      order: isMasked ? withoutCustomers(order) : order,
      number: orderNumber(order),
      proof: proofOf(order),
      isMasked,
      currency: merchant.currency,
      timeZone: merchant.timeZone,
      locationName: location?.name ?? '',
      isSimulated: location?.kitchen === 'simulated',
      jobs: await printJobsOfOrder(context, merchant, row.id),
      names: JSON.parse(row.item_names) as Record<string, string>,
    }
  },

  'orders.find': async (context, doing, { text }) => {
    const merchant = merchantOf(doing)
    const found = await meantBy(context, merchant, text.trim())
    if (found === null) return null
    const { owner, ...answer } = found
    // Of another account, of the other environment, or at a merchant that was granted once: there is nothing.
    const acting = doing.by === 'person' ? accountOf(doing) : merchant.accountId
    if (owner.accountId !== acting || owner.environment !== merchant.environment) return null
    const isAllowed = await mayAct(
      context,
      { accountId: acting, environment: owner.environment, wanted: 'orders:read' },
      owner.merchantId,
    )
    return isAllowed ? { ...answer, merchantId: owner.merchantId, webhookId: owner.webhookId } : null
  },

  'orders.check': async (context, doing, body) => {
    const merchant = merchantOf(doing)
    try {
      return { isAccepted: true, ...(await checkOrder(context, merchant, body)) }
    } catch (refusal) {
      if (!(refusal instanceof ServiceError)) throw refusal
      const { code, message, errors = [], extra: facts } = refusal
      return { isAccepted: false, code, message, errors: [...errors], facts }
    }
  },
}

/** One page of what fits the filters, newest first. */
async function pageOf(
  context: ControlContext,
  merchant: MerchantRecord,
  { state, source, text, from, to, cursor, seesGuests }: ListInput & { seesGuests: boolean },
): Promise<{ rows: OrdersTable[]; nextCursor: string | null }> {
  const times = { fromMs: msOf(from), toMs: msOf(to) }
  if (text !== undefined) {
    const named = await namedOrders(context, merchant, { text: text.trim(), seesGuests })
    const rows = named.filter((row) => fits(row, { state, source, ...times }))
    return { rows: rows.slice(0, PAGE), nextCursor: null }
  }
  const of = [merchant.accountId, merchant.key]
  const cursors = new ListCursors({ list: 'orders at the dashboard', of, filters: { state, source, ...times } })
  const page = { after: cursors.decode(cursor), limit: PAGE + 1 }
  const found = await readPage(context, merchant, { filter: { source, ...times }, ...page, state })
  return cursors.page(found, PAGE, (row) => ({ at: row.queued_at, id: row.id }))
}

/** What is open is in three states, each with its own index: their pages together hold the newest of all. */
async function readPage(
  { orders }: ControlContext,
  merchant: MerchantRecord,
  { filter, state, ...page }: { filter: OrderFilter; state: ListInput['state']; after: Cursor | null; limit: number },
): Promise<OrdersTable[]> {
  if (state !== 'open') return orders.page(merchant, { ...filter, status: state }, page)
  const pages = await Promise.all(OPEN.map((status) => orders.page(merchant, { ...filter, status }, page)))
  return pages
    .flat()
    .sort((one, other) => other.queued_at - one.queued_at || (one.id < other.id ? 1 : -1))
    .slice(0, page.limit)
}

/** Orders that match this text, newest first. */
async function namedOrders(
  context: ControlContext,
  merchant: MerchantRecord,
  { text, seesGuests }: { text: string; seesGuests: boolean },
): Promise<OrdersTable[]> {
  const ids = new Set<ServiceOrderId>()
  if (isId('ord', text)) ids.add(text)
  if (orderIdField.safeParse(text).success) {
    const page = { after: null, limit: 1 }
    for (const { id } of await context.orders.page(merchant, { clientOrderId: text }, page)) ids.add(id)
  }
  const isPart = text.length >= SHORTEST_PART
  const newest = isPart || NUMBER.test(text) ? await context.orderTraces.newestNumbers(merchant) : []
  for (const id of numbered(newest, text)) ids.add(id)
  if (isPart) {
    const wanted = folded(text)
    for (const { id, client_order_id } of newest) if (folded(client_order_id).startsWith(wanted)) ids.add(id)
    if (seesGuests) for (const id of await ofGuest(context.orderTraces, merchant, text)) ids.add(id)
  }
  const found = await Promise.all([...ids].slice(0, PAGE).map((id) => context.orders.find(merchant, id)))
  return found.filter((row) => row !== null).sort((one, other) => other.queued_at - one.queued_at)
}

/** Of the newest orders those with this number on their tickets: each day begins at 1. */
function numbered(newest: Awaited<ReturnType<OrderTraceStore['newestNumbers']>>, text: string): ServiceOrderId[] {
  if (!NUMBER.test(text)) return []
  return newest
    .filter(
      (row) => orderNumber({ posOrderId: row.pos_order_id, orderId: row.client_order_id }) === String(Number(text)),
    )
    .map(({ id }) => id)
}

/** Of the newest orders those whose guest has this name, or a name that contains it. */
async function ofGuest(
  orderTraces: OrderTraceStore,
  merchant: MerchantRecord,
  text: string,
): Promise<ServiceOrderId[]> {
  const wanted = folded(text)
  const newest = await orderTraces.newestBodies(merchant)
  return newest.filter(({ body }) => folded(guestOf(body) ?? '').includes(wanted)).map(({ id }) => id)
}

/** Most orders have no guest, and need not be read. */
function guestOf(body: string): string | undefined {
  if (!body.includes('"customer":')) return undefined
  return (JSON.parse(body) as { customer?: { name?: string } | null }).customer?.name
}

function fits(
  { status, body, queued_at }: OrdersTable,
  {
    state,
    source,
    fromMs,
    toMs,
  }: Pick<ListInput, 'state' | 'source'> & { fromMs: number | undefined; toMs: number | undefined },
): boolean {
  if (state === 'open' ? !OPEN.includes(status) : state !== undefined && status !== state) return false
  if (source !== undefined && (JSON.parse(body) as { source: string }).source !== source) return false
  return queued_at >= (fromMs ?? 0) && queued_at < (toMs ?? Number.POSITIVE_INFINITY)
}

/** Kitchens that are away, with what waits for them. */
async function waitingKitchens(context: ControlContext, merchant: MerchantRecord): Promise<WaitingKitchenAnswer[]> {
  const kitchens = await context.printJobs.kitchens(merchant.key)
  const isHere = (locationId: string) =>
    kitchens.some((kitchen) => kitchen.locationId === locationId && kitchen.presence === 'online')
  const locations = await context.locations.ofMerchant(merchant.key)
  // The usual answer, for which no order is read.
  if (locations.every(({ id }) => isHere(id))) return []
  const found: WaitingKitchenAnswer[] = []
  for (const { id: locationId, name } of locations.filter(({ id }) => !isHere(id))) {
    const at = { locationId, nowMs: context.clock.now() }
    const { tickets, more, sinceMs } = await context.orderTraces.waiting(merchant, at)
    if (sinceMs !== null) found.push({ locationId, name, tickets, more, since: toIso(sinceMs) })
  }
  return found
}

/** What has this text as its id, and its owner. */
async function meantBy(
  { orderTraces, orders }: ControlContext,
  merchant: MerchantRecord,
  text: string,
): Promise<(Pick<FoundAnswer, 'kind' | 'id' | 'serviceOrderId'> & { owner: IdOwner }) | null> {
  const ofSubject = (subjectId: string) => (isId('ord', subjectId) ? subjectId : null)
  if (isId('pj', text)) {
    const owner = await orderTraces.ownerOfJob(text)
    return owner && { kind: 'job', id: text, serviceOrderId: owner.orderId, owner }
  }
  if (isId('evt', text)) {
    const owner = await orderTraces.ownerOfEvent(text)
    return owner && { kind: 'event', id: text, serviceOrderId: ofSubject(owner.subjectId), owner }
  }
  if (isId('dlv', text)) {
    const owner = await orderTraces.ownerOfDelivery(text)
    return owner && { kind: 'delivery', id: text, serviceOrderId: ofSubject(owner.subjectId), owner }
  }
  const isOrderId = orderIdField.safeParse(text).success
  const named = isId('ord', text) || !isOrderId ? null : await orders.first(merchant, text)
  const newest = named === null && NUMBER.test(text) ? await orderTraces.newestNumbers(merchant) : []
  const orderId = isId('ord', text) ? text : (named?.id ?? numbered(newest, text)[0])
  const owner = orderId === undefined ? null : await orderTraces.ownerOfOrder(orderId)
  return owner && { kind: 'order', id: text, serviceOrderId: owner.orderId, owner }
}
