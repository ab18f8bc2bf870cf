// What happened to one order, from the API to the last answer of a webhook, as one list of steps with the milliseconds between. Pure.
import { orderResource } from '#cloud/orders/order-resource.ts'
import type { OrderTraceStore } from '#cloud/storage/order-trace-store.ts'
import type { OrdersTable, RefundsTable } from '#cloud/storage/schema.ts'
import { type EpochMs, isoOrNull, msOf, toIso } from '#shared/clock.ts'
import type { TicketEvidence } from '#shared/print-job.ts'
import { urlOrigin } from './context.ts'
import type { TraceAnswer, TraceDeliveryAnswer, TraceStepAnswer } from './order-list.ts'

type Job = Awaited<ReturnType<OrderTraceStore['jobs']>>[number]
type Delivery = Awaited<ReturnType<OrderTraceStore['deliveries']>>[number]
type Attempt = Awaited<ReturnType<OrderTraceStore['attempts']>>[number]

export interface Traced {
  order: OrdersTable
  merchantId: string
  jobs: readonly Job[]
  deliveries: readonly Delivery[]
  attempts: readonly Attempt[]
  refunds: readonly RefundsTable[]
  /** Reasons that people typed are hidden from the viewer. */
  isMasked: boolean
}

interface Moment extends Omit<TraceStepAnswer, 'at' | 'afterMs' | 'sinceMs'> {
  atMs: EpochMs
}

/** Steps with a reason that a person typed. */
const TYPED: readonly TraceStepAnswer['step'][] = ['voided', 'refunded']

/** Instants from a kitchen are limited to between the order and the relay's receipt of them: its clock may be off. */
export function traceOf({
  order,
  merchantId,
  jobs,
  deliveries,
  attempts,
  refunds,
  isMasked,
}: Traced): Omit<TraceAnswer, 'told'> {
  const moments = [
    ...ofOrder(order, merchantId),
    ...refunds.map(({ created_at, reason }) => moment('refunded', created_at, { by: reason })),
    ...jobs.flatMap((job) => ofJob(job, order)),
    ...attempts.flatMap((attempt) => ofAttempt(attempt, deliveries)),
  ]
  // The sort is stable: of two steps in one millisecond the one that causes the other comes first.
  moments.sort((one, other) => one.atMs - other.atMs)
  const proofs = jobs.filter(({ kind }) => kind === 'order').flatMap((job) => ofJob(job, order))
  const paper = proofs.filter(({ step }) => step === 'proof').map(({ atMs }) => atMs)
  return {
    steps: moments.map(({ atMs, ...moment }, index) => ({
      ...moment,
      by: isMasked && moment.by !== null && TYPED.includes(moment.step) ? '***' : moment.by,
      at: toIso(atMs),
      afterMs: index === 0 ? null : atMs - (moments[index - 1]?.atMs ?? atMs),
      sinceMs: atMs - order.queued_at,
    })),
    deliveries: deliveries.map(deliveryAnswer),
    paperMs: paper.length === 0 || order.print_state !== 'printed' ? null : Math.max(...paper) - order.queued_at,
  }
}

function moment(step: Moment['step'], atMs: EpochMs, more: Partial<Moment> = {}): Moment {
  return { step, atMs, where: null, job: null, by: null, method: null, webhook: null, ...more }
}

/** Order, kitchen job and event are on disk in one commit: there is one instant for all of them. */
function ofOrder(order: OrdersTable, merchantId: string): Moment[] {
  const { timeline, cameBy, voidReason, source } = orderResource(order, merchantId)
  const atOf = (type: string) => msOf(timeline.find((entry) => entry.type === type)?.at)
  const told = (step: 'fired' | 'ready' | 'completed' | 'voided', more: Partial<Moment> = {}) => {
    const atMs = atOf(step)
    return atMs === undefined ? [] : [moment(step, atMs, more)]
  }
  return [
    moment('taken', order.queued_at, { where: source }),
    ...told('fired'),
    ...cameBy.flatMap(({ way, name, at }) =>
      way === 'display' ? [moment('shown', msOf(at) ?? order.queued_at, { where: name })] : [],
    ),
    ...told('ready'),
    ...told('completed'),
    ...told('voided', { by: voidReason }),
  ]
}

function ofJob(job: Job, order: OrdersTable): Moment[] {
  const kind = { job: job.kind === 'order' ? null : job.kind }
  const where = job.gateway_name
  const end = job.settled_at ?? Number.POSITIVE_INFINITY
  const within = (atMs: EpochMs) => Math.min(Math.max(atMs, job.claimed_at ?? order.queued_at), end)
  const tickets = job.evidence === null ? [] : (JSON.parse(job.evidence) as TicketEvidence[])
  return [
    ...(job.claimed_at === null ? [] : [moment('handed', job.claimed_at, { ...kind, where })]),
    ...(job.accepted_at === null ? [] : [moment('received', job.accepted_at, { ...kind, where })]),
    ...tickets.flatMap((ticket) => ofTicket(ticket, { kind, end: job.settled_at ?? order.queued_at, within })),
  ]
}

function ofTicket(
  { printerName: where, state, firstByteAtMs, printedAtMs, method, confirmation, reason }: TicketEvidence,
  { kind, end, within }: { kind: Pick<Moment, 'job'>; end: EpochMs; within: (atMs: EpochMs) => EpochMs },
): Moment[] {
  const at = { ...kind, where }
  const firstByte = firstByteAtMs === null ? [] : [moment('first-byte', within(firstByteAtMs), at)]
  if (state === 'printed') {
    const by = confirmation ?? 'assumed'
    return [...firstByte, moment('proof', within(printedAtMs ?? end), { ...at, by, method: method ?? 'none' })]
  }
  const step = state === 'uncertain' ? 'unproven' : 'not-printed'
  return [...firstByte, moment(step, end, { ...at, by: reason })]
}

/** It is at the time of its answer, or of its end. */
function ofAttempt({ delivery_id, at, ...attempt }: Attempt, deliveries: readonly Delivery[]): Moment[] {
  const delivery = deliveries.find(({ id }) => id === delivery_id)
  if (delivery === undefined) return []
  const { number, trigger, status, error, ms } = attempt
  const webhook = {
    deliveryId: delivery.id,
    eventId: delivery.event_id,
    type: delivery.type,
    ...{ attempt: number, trigger, status, error, ms },
  }
  return [moment('webhook', at + ms, { where: siteAt(delivery), webhook })]
}

/** The inspector has no address. */
function siteAt({ kind, url }: Pick<Delivery, 'kind' | 'url'>): string | null {
  return kind === 'inspector' ? null : urlOrigin(url)
}

function deliveryAnswer(row: Delivery): TraceDeliveryAnswer {
  const isOpen = row.state === 'pending' || row.state === 'retrying'
  const nextMs = isOpen ? Math.min(row.next_at, row.manual_at ?? row.next_at) : row.manual_at
  return {
    deliveryId: row.id,
    webhookId: row.endpoint_id,
    site: siteAt(row),
    eventId: row.event_id,
    type: row.type,
    state: row.state,
    attempts: row.attempts,
    lastStatus: row.last_status,
    lastError: row.last_error,
    nextAttemptAt: isoOrNull(nextMs),
  }
}
