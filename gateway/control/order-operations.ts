// Orders by their number: a list that is searched on the box, and one card an order with everything that happened to it.
import type { KitchenStory } from '#gateway/storage/order-kitchen-rows.ts'
import type { OrderRecord } from '#gateway/storage/order-store.ts'
import { toIso } from '#shared/clock.ts'
import type { KitchenOrder } from '#shared/order.ts'
import { laterCourses } from '#shared/tickets/courses.ts'
import { maskedGuest } from '#shared/tickets/guest-name.ts'
import { inReadingOrder, modifierWords } from '#shared/tickets/modifier-words.ts'
import { orderNumber } from '#shared/tickets/order-number.ts'
import { fold } from '#shared/tickets/route.ts'
import type { OrderHistoryAnswer } from './answers.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { historyOf, iso } from './job-operations.ts'
import type { OrderAnswer, OrderLineAnswer } from './order-answers.ts'
import { type OrderSearch, orderNamed } from './order-search.ts'
import { orderTimeline } from './order-timeline.ts'

/** Dishes that a list names of an order. */
const NAMED_ITEMS = 4

export function orderOperations(
  context: ControlContext,
  search: OrderSearch,
): Pick<ControlHandlers, 'orders.list' | 'orders.show'> {
  return {
    'orders.list': async ({ search: text, state, limit, before }, asking) => {
      const found = await search.list({ search: text, filter: state, limit, before }, asking?.signal)
      return { orders: found.orders.map(orderOf), next: found.next, lookedBackTo: iso(found.lookedBackToMs) }
    },
    'orders.show': async ({ order }, asking) => {
      const record = await orderNamed(search, order, asking?.signal)
      return historyOfOrder(context, record, await search.jobIdsOf(record, asking?.signal))
    },
  }
}

function historyOfOrder(context: ControlContext, record: OrderRecord, jobIds: readonly string[]): OrderHistoryAnswer {
  const { orders, orderKitchen } = context
  const { order } = record
  const kitchen = orderKitchen.of(order?.serviceOrderId ?? '')
  const ticketList = jobIds
    .flatMap((id) => orders.ticketIdsOf(id))
    .map((ticketId) => historyOf(context, ticketId))
    .sort((a, b) => a.receivedAt.localeCompare(b.receivedAt))
  const names = new Map(order?.items.map(({ station }) => [fold(station ?? ''), station ?? '']))
  const stationName = (key: string): string => names.get(key) ?? key
  return {
    ...orderOf(record),
    ...saidOf(order),
    voidReason: record.voidReason,
    lineList: order === null ? [] : linesOf(order, kitchen),
    stations: kitchen.stations.map(({ key, startedAtMs, readyAtMs }) => ({
      name: stationName(key),
      startedAt: iso(startedAtMs),
      readyAt: iso(readyAtMs),
    })),
    courses: laterCourses(order?.items ?? []).map((course) => ({
      course,
      firedAt: iso(kitchen.courses.find((one) => one.course === course)?.firedAtMs ?? null),
    })),
    screens: kitchen.screens.map(({ displayId, name, ...at }) => ({
      displayId,
      name: name ?? displayId,
      seenAt: iso(at.seenAtMs),
      noticedAt: iso(at.noticedAtMs),
      paperAt: iso(at.paperAtMs),
      voidSeenAt: iso(at.voidSeenAtMs),
    })),
    ticketList,
    timeline: orderTimeline(record, { kitchen, tickets: ticketList, stationName }),
    relay: relayOf(context, record, kitchen),
  }
}

export function orderOf(record: OrderRecord): OrderAnswer {
  const { order, jobId, isTest, isWithoutPaper, receivedAtMs, tickets } = record
  const items = order?.items ?? []
  return {
    printJobId: jobId,
    number: order === null ? '' : orderNumber(order),
    clientOrderId: order?.orderId ?? '',
    serviceOrderId: order?.serviceOrderId ?? '',
    source: order?.source ?? '',
    orderType: order?.orderType ?? null,
    table: order?.table ?? null,
    guest: maskedGuest(order?.customer?.name ?? '') || null,
    isTest,
    isWithoutPaper,
    receivedAt: toIso(receivedAtMs),
    notBefore: iso(record.notBeforeMs),
    readyBy: iso(order?.readyByMs ?? null),
    voidedAt: iso(record.voidedAtMs),
    readyAt: iso(record.readyAtMs),
    pickedUpAt: iso(record.pickedUpAtMs),
    items: items.slice(0, NAMED_ITEMS).map(({ qty, name }) => `${qty} ${name}`),
    lines: items.length,
    tickets,
  }
}

function saidOf(order: KitchenOrder | null): Pick<OrderHistoryAnswer, 'note' | 'allergens' | 'server' | 'guests'> {
  return {
    note: order?.note ?? null,
    allergens: order?.allergens ?? [],
    server: order?.server ?? null,
    guests: order?.guests ?? null,
  }
}

function linesOf({ items }: KitchenOrder, { struck }: KitchenStory): OrderLineAnswer[] {
  return items.map(({ qty, name, note, modifiers, station, course, seat }, place) => ({
    qty,
    name,
    note: note ?? null,
    modifiers: inReadingOrder(modifiers.map((modifier) => modifierWords(modifier, (text) => text.trim())))
      .filter(({ words }) => words !== '')
      .map(({ sign, words }) => `${sign} ${words}`.trim()),
    station,
    course: course ?? null,
    seat: seat ?? null,
    struckAt: iso(struck.find(({ line }) => line === place)?.atMs ?? null),
  }))
}

function relayOf(
  { orders }: ControlContext,
  { jobId, settledAtMs, isTest }: OrderRecord,
  { facts }: KitchenStory,
): OrderHistoryAnswer['relay'] {
  const toldAt = (fact: 'ready' | 'completed'): string | null =>
    iso(facts.find((one) => one.fact === fact)?.toldAtMs ?? null)
  const told = orders.isUnreported(jobId) ? 'waits' : 'told'
  return {
    result: settledAtMs === null || isTest ? null : told,
    readyToldAt: toldAt('ready'),
    completedToldAt: toldAt('completed'),
  }
}
