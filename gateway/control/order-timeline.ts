// One order as one story: its tickets, its screens and its cooks in the order in which it happened. Pure.
import type { KitchenStory } from '#gateway/storage/order-kitchen-rows.ts'
import type { OrderRecord } from '#gateway/storage/order-store.ts'
import { fromIso, toIso } from '#shared/clock.ts'
import type { TicketHistoryAnswer } from './answers.ts'
import type { OrderMomentAnswer, OrderStep } from './order-answers.ts'

interface Moment {
  atMs: number
  step: OrderStep
  where?: string | null
  ticketId?: string
  attempt?: number | null
  by?: string | null
}

/** Steps of one instant have this order, all others are between them. */
const FIRST_STEPS: readonly OrderStep[] = ['received', 'accepted']
const LAST_STEPS: readonly OrderStep[] = ['ready', 'told-ready', 'picked-up', 'told-completed', 'voided']
/** Reported once for the whole order. */
const OF_THE_ORDER = new Set(['received', 'accepted'])

/** @param tickets of all its jobs @param stationName as the menu writes it */
export function orderTimeline(
  record: OrderRecord,
  {
    kitchen,
    tickets,
    stationName,
  }: { kitchen: KitchenStory; tickets: readonly TicketHistoryAnswer[]; stationName: (key: string) => string },
): OrderMomentAnswer[] {
  const moments: Moment[] = [
    { atMs: record.receivedAtMs, step: 'received' },
    ...tickets.flatMap((ticket) => ticketMoments(ticket, record.jobId)),
    ...screenMoments(kitchen),
    ...kitchenMoments(record, kitchen, stationName),
  ]
  return moments
    .map((moment, index) => ({ moment, index }))
    .sort((a, b) => a.moment.atMs - b.moment.atMs || rank(a.moment) - rank(b.moment) || a.index - b.index)
    .map(({ moment: { atMs, step, where, ticketId, attempt, by } }) => ({
      at: toIso(atMs),
      afterMs: atMs - record.receivedAtMs,
      step,
      where: where ?? null,
      ticketId: ticketId ?? null,
      attempt: attempt ?? null,
      by: by ?? null,
    }))
}

function rank({ step }: Moment): number {
  const first = FIRST_STEPS.indexOf(step)
  return first === -1 ? LAST_STEPS.indexOf(step) + 1 : first - FIRST_STEPS.length
}

function ticketMoments(ticket: TicketHistoryAnswer, orderJobId: string): Moment[] {
  const { ticketId, timeline, attemptList, printer } = ticket
  // Its attempts may have been at other printers than where it is now.
  const printers = new Map(attemptList.map((attempt) => [attempt.attempt, attempt.printer]))
  const isCopy = ticket.kind === 'reprint' && ticket.printJobId !== orderJobId
  return timeline.flatMap(({ at, step, attempt, by }): Moment[] => {
    if (OF_THE_ORDER.has(step) && !(isCopy && step === 'received')) return []
    const where = (attempt === null ? undefined : printers.get(attempt)) ?? printer
    const said = step === 'received' ? 'copy-asked' : (step as OrderStep)
    return [{ atMs: fromIso(at) ?? 0, step: said, where, ticketId, attempt, by }]
  })
}

function screenMoments({ screens }: KitchenStory): Moment[] {
  return screens.flatMap(({ displayId, name, ...at }) => {
    const where = name ?? displayId
    const of = (step: OrderStep, atMs: number | null): Moment[] => (atMs === null ? [] : [{ atMs, step, where }])
    return [
      ...of('seen', at.seenAtMs),
      ...of('noticed', at.noticedAtMs),
      ...of('buzzed', at.buzzedAtMs),
      ...of('paper-instead', at.paperAtMs),
      ...of('void-seen', at.voidSeenAtMs),
      ...of('change-seen', at.changeSeenAtMs),
    ]
  })
}

function kitchenMoments(
  { voidedAtMs, voidReason }: OrderRecord,
  { readyAtMs, pickedUpAtMs, recalledAtMs, stations, courses, facts }: KitchenStory,
  stationName: (key: string) => string,
): Moment[] {
  const of = (step: OrderStep, atMs: number | null, over: Partial<Moment> = {}): Moment[] =>
    atMs === null ? [] : [{ atMs, step, ...over }]
  return [
    ...stations.flatMap(({ key, ...at }) => [
      ...of('station-started', at.startedAtMs, { where: stationName(key) }),
      ...of('station-ready', at.readyAtMs, { where: stationName(key) }),
    ]),
    ...courses.flatMap(({ course, firedAtMs }) => of('course-fired', firedAtMs, { where: String(course) })),
    ...of('ready', readyAtMs),
    ...of('picked-up', pickedUpAtMs),
    ...of('recalled', recalledAtMs),
    ...of('voided', voidedAtMs, { by: voidReason }),
    ...facts.flatMap(({ fact, toldAtMs }) => of(fact === 'ready' ? 'told-ready' : 'told-completed', toldAtMs)),
  ]
}
