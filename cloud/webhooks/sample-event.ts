// Made-up data for test events, complete for each type, so that a receiver can be written before the first order.
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import { isoOrNull, toIso } from '#shared/clock.ts'
import { newId } from '#shared/ids.ts'
import type { AlertResource } from '#shared/wire/alert-event.ts'
import type { SkuResource } from '#shared/wire/api/catalog.ts'
import type { OrderResource } from '#shared/wire/api/orders.ts'
import type { PrintFacts } from '#shared/wire/print-facts.ts'
import type { WebhookEventData } from '#shared/wire/webhook-event.ts'
import type { WebhookEventType } from '#shared/wire/webhook-event-names.ts'

const MINUTE_MS = 60_000

type SampleMerchant = Pick<MerchantRecord, 'key' | 'publicId'>

export interface SampleEvent {
  /** New for every call, because a subject has each sequence number only once. */
  subjectId: string
  sequence: number
  data: Readonly<Record<string, unknown>>
}

/** An event about an order, a SKU or an alert that does not exist; its data matches `WEBHOOK_EVENT_DATA[type]`. */
export function sampleEvent(type: WebhookEventType, merchant: SampleMerchant, nowMs: number): SampleEvent {
  switch (type) {
    case 'order.accepted':
      return orderEvent(orderAt('accepted', merchant, nowMs), {})
    case 'order.printed': {
      const order = orderAt('printed', merchant, nowMs)
      return orderEvent(order, { print: printOf(nowMs) })
    }
    case 'order.ready':
      return orderEvent(orderAt('ready', merchant, nowMs), {})
    case 'order.completed':
      return orderEvent(orderAt('completed', merchant, nowMs), {})
    case 'order.voided':
      return orderEvent(orderAt('voided', merchant, nowMs), {})
    case 'order.refunded': {
      const order = refunded(orderAt('completed', merchant, nowMs), nowMs)
      const [refund] = order.refunds
      return orderEvent(order, { refund })
    }
    case 'sku.silenced':
    case 'sku.restored':
    case 'sku.low_stock':
      return skuEvent(type, merchant, nowMs)
    case 'alert.started':
      return alertEvent(merchant, nowMs, null)
    case 'alert.ended':
      return alertEvent(merchant, nowMs - MINUTE_MS, nowMs)
  }
}

/** @param endedMs null: the alert begins */
function alertEvent(merchant: SampleMerchant, startedMs: number, endedMs: number | null): SampleEvent {
  const alert: AlertResource = {
    ...{ alertId: newId('alr', startedMs), kind: 'box-silent', severity: 'critical' },
    title: 'The box of Test kitchen is not connected',
    act: 'A test event: nothing is wrong.',
    ...{ gatewayId: newId('gw', startedMs), printerId: null, locationId: null, webhookId: null },
    values: { place: 'Test kitchen' },
    ...{ since: toIso(startedMs - 5 * MINUTE_MS), startedAt: toIso(startedMs), endedAt: isoOrNull(endedMs) },
  }
  return { subjectId: `${merchant.key}/${alert.alertId}`, sequence: endedMs === null ? 1 : 2, data: { alert } }
}

function orderEvent(order: OrderResource, more: object): SampleEvent {
  return { subjectId: order.serviceOrderId, sequence: order.sequence, data: { order, ...more } }
}

type Milestone = 'accepted' | 'printed' | 'ready' | 'completed' | 'voided'

/** The milestones of each order state, in order. */
const HAPPENED: Record<Milestone, readonly Milestone[]> = {
  accepted: ['accepted'],
  printed: ['accepted', 'printed'],
  ready: ['accepted', 'printed', 'ready'],
  completed: ['accepted', 'printed', 'ready', 'completed'],
  voided: ['accepted', 'printed', 'voided'],
}

const PRINTER = 'Test kitchen'

function orderAt(status: Milestone, merchant: SampleMerchant, nowMs: number): OrderResource {
  const happened = HAPPENED[status]
  const timeOf = (index: number) => toIso(nowMs - (happened.length - 1 - index) * MINUTE_MS)
  const at = (milestone: Milestone) => {
    const index = happened.indexOf(milestone)
    return index === -1 ? null : timeOf(index)
  }
  const isPrinted = happened.includes('printed')
  const serviceOrderId = newId('ord', nowMs)
  return {
    serviceOrderId,
    orderId: `test-${serviceOrderId.slice(-8)}`,
    merchantId: merchant.publicId,
    locationId: newId('loc', nowMs),
    source: 'test-event',
    status,
    sequence: happened.length,
    items: [
      {
        umsId: 'UMS-TEST-BURGER',
        name: 'Test burger',
        qty: 2,
        price: 12.5,
        note: 'no pickles',
        modifiers: ['UMS-TEST-CHEESE'],
      },
      { umsId: 'UMS-TEST-BRULEE', name: 'Crème brûlée (test)', qty: 1, price: 7.95, modifiers: [] },
    ],
    total: 32.95,
    tip: 3,
    customer: { name: 'Test Customer' },
    print: true,
    fireAt: null,
    firedAt: timeOf(0),
    queuedAt: timeOf(0),
    estimatedReadyAt: toIso(nowMs + 15 * MINUTE_MS),
    printedAt: at('printed'),
    readyAt: at('ready'),
    completedAt: at('completed'),
    voidedAt: at('voided'),
    voidReason: status === 'voided' ? 'test event' : null,
    orderType: 'dine-in',
    table: '12',
    guests: 2,
    server: null,
    note: null,
    allergens: [],
    courses: [],
    addOnTo: null,
    posOrderId: 'TEST-0001',
    printJobId: newId('pj', nowMs),
    printState: isPrinted ? 'printed' : 'pending',
    printProof: isPrinted ? printOf(nowMs - (happened.length - 2) * MINUTE_MS) : null,
    ways: [{ station: null, way: 'printer', name: PRINTER }],
    cameBy: isPrinted ? [{ way: 'printer', name: PRINTER, at: timeOf(1) }] : [],
    refundedTotal: 0,
    refundable: status === 'completed' ? 35.95 : 0,
    refunds: [],
    timeline: happened.map((type, index) => ({ type, at: timeOf(index) })),
  }
}

function refunded(order: OrderResource, nowMs: number): OrderResource {
  const refund = { refundId: newId('rfd', nowMs), amount: 7.95, reason: 'test event', createdAt: toIso(nowMs) }
  return {
    ...order,
    status: 'refunded',
    sequence: order.sequence + 1,
    refundedTotal: refund.amount,
    refundable: 28,
    refunds: [refund],
    timeline: [...order.timeline, { type: 'refunded', at: refund.createdAt }],
  }
}

function printOf(printedMs: number): PrintFacts {
  const paper = {
    confirmation: 'confirmed' as const,
    method: 'gs-paren-h' as const,
    printedAt: toIso(printedMs),
    attempts: 1,
    possibleDuplicate: false,
  }
  const printer = { printerId: 'test-kitchen', name: PRINTER, firstByteAt: toIso(printedMs - 900) }
  return { ...paper, printers: [{ ...printer, ...paper }] }
}

function skuEvent(
  type: 'sku.silenced' | 'sku.restored' | 'sku.low_stock',
  merchant: SampleMerchant,
  nowMs: number,
): SampleEvent {
  const isSilenced = type === 'sku.silenced'
  const until = toIso(nowMs + 60 * MINUTE_MS)
  const sku = skuOf(merchant, nowMs, isSilenced ? until : null)
  const channels = ['direct']
  const silenced: WebhookEventData<'sku.silenced'> = { sku, channels, cause: 'call', until, reason: 'test event' }
  const restored: WebhookEventData<'sku.restored'> = { sku, channels, cause: 'call' }
  const lowStock: WebhookEventData<'sku.low_stock'> = { sku, quantity: 4, lowThreshold: 5 }
  const data = { 'sku.silenced': silenced, 'sku.restored': restored, 'sku.low_stock': lowStock }[type]
  return { subjectId: `${merchant.key}/${sku.umsId}`, sequence: 1, data }
}

/** @param silencedUntil null for a live SKU */
function skuOf(merchant: SampleMerchant, nowMs: number, silencedUntil: string | null): SkuResource {
  const isSilenced = silencedUntil !== null
  return {
    // The random half of an order's id: never used before.
    umsId: `UMS-TEST-${newId('ord', nowMs).slice(-16)}`,
    merchantId: merchant.publicId,
    name: 'Test burger',
    kind: 'item',
    price: 12.5,
    prepMinutes: 10,
    station: 'grill',
    category: 'Mains',
    state: isSilenced ? 'silenced' : 'live',
    orderable: !isSilenced,
    stock: { quantity: 4, lowThreshold: 5 },
    channels: [
      {
        channelId: 'direct',
        externalId: null,
        state: isSilenced ? 'silenced' : 'live',
        silencedAt: isSilenced ? toIso(nowMs) : null,
        silencedUntil,
        cause: isSilenced ? 'call' : null,
        reason: isSilenced ? 'test event' : null,
        sync: 'synced',
      },
    ],
  }
}
