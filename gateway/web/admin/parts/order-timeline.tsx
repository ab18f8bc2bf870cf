// Everything that happened to an order, on paper and on screens, step by step; as text too, for support.
import type { OrderHistoryAnswer } from '#gateway/control/answers.ts'
import type { OrderMomentAnswer } from '#gateway/control/order-answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { StepTimeline } from '#shared/ui/parts/timeline.tsx'
import { lookup } from './words.ts'

/** Shown only on the ticket's own page, and in the text for support. */
const OF_THE_WIRE = new Set<OrderMomentAnswer['step']>(['connected', 'first-byte', 'last-byte'])
const TROUBLE = new Set<OrderMomentAnswer['step']>(['doubt', 'failed', 'paper-instead', 'voided'])

export function OrderTimeline({ order }: { order: OrderHistoryAnswer }) {
  const { t } = useSpeech()
  /** Of what is not the order's first ticket: copies and slips. */
  const kinds = new Map(order.ticketList.map(({ ticketId, kind }) => [ticketId, kind]))
  const where = ({ step, where: place, ticketId }: OrderMomentAnswer) => {
    if (place === null) return ''
    if (step === 'course-fired') return t.orders.course(Number(place))
    const kind = kinds.get(ticketId ?? '') ?? ''
    return kind === 'reprint' || kind === 'void' ? `${place}, ${lookup(t.job.kinds, kind)}` : place
  }
  const by = ({ step, by: why }: OrderMomentAnswer) => {
    if (why === null) return ''
    // In the words of the person who voided it.
    return step === 'voided' ? why : lookup({ ...t.printer.reasons, ...t.job.reasons, ...t.job.methods }, why)
  }
  const told = order.timeline.filter(({ step }) => !OF_THE_WIRE.has(step))
  const steps = told.map((moment) => ({
    ...moment,
    name: lookup({ ...t.job.steps, ...t.orders.steps }, moment.step),
    why: [where(moment), by(moment)].filter((words) => words !== '').join(' · '),
    attempt: moment.attempt !== null && moment.attempt > 1 ? t.job.attempt(moment.attempt) : '',
    isTrouble: TROUBLE.has(moment.step),
  }))
  return <StepTimeline steps={steps} text={asText(order)} words={t.job} />
}

/** For the support staff, in English. Without the customer's data. */
function asText({ number, serviceOrderId, printJobId, timeline, ticketList }: OrderHistoryAnswer): string {
  return [
    `order #${number} ${serviceOrderId} of ${printJobId}`,
    ...timeline.map(({ at, afterMs, step, where, ticketId, attempt, by }) =>
      [at, `+${afterMs} ms`, step, where, ticketId, attempt === null ? null : `#${attempt}`, by]
        .filter((part) => part !== null)
        .join(' '),
    ),
    ...ticketList.map(
      ({ ticketId, printer, state, reason }) =>
        `ticket ${ticketId} at ${printer}: ${[state, reason].filter(Boolean).join(', ')}`,
    ),
  ].join('\n')
}
