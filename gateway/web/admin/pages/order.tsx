// One order: its content and state, its tickets with the possible actions, its screens, and one timeline of all of it.
import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { OrderHistoryAnswer, TicketHistoryAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useRead } from '#gateway/web/admin/operations.ts'
import { OrderFacts, OrderLines, OrderScreens, OrderStations } from '#gateway/web/admin/parts/order-card.tsx'
import { orderName, orderStanding } from '#gateway/web/admin/parts/order-words.ts'
import { TicketDrawing } from '#gateway/web/admin/parts/ticket-drawing.tsx'
import { TicketActs, TicketCause } from '#gateway/web/admin/parts/ticket-story.tsx'
import { lookup, ticketStanding } from '#gateway/web/admin/parts/words.ts'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import '#gateway/web/admin/orders.css'
import type { OrderMomentAnswer } from '#gateway/control/order-answers.ts'
import { StepTimeline } from '#shared/ui/parts/timeline.tsx'

const AGAIN_EVERY_MS = 5_000

export function OrderPage() {
  const { t } = useSpeech()
  const { order: named = '' } = useParams({ strict: false }) as { order?: string }
  const show = useRead('orders.show', { order: named }, { everyMs: AGAIN_EVERY_MS, keep: true })
  const order = show.data
  if (!order)
    return show.error ? (
      <Page title={t.orders.title}>
        <Problem error={show.error} />
      </Page>
    ) : null
  const { tone, words } = orderStanding(order, t)
  return (
    <Page title={orderName(order, t)} actions={<Mark tone={tone}>{words}</Mark>}>
      <div className="order-card">
        <div className="stack">
          <section className="card">
            <OrderFacts order={order} />
          </section>
          <Part title={t.orders.lines}>
            <OrderLines lines={order.lineList} />
          </Part>
          <Part title={t.orders.ticketsOf}>
            <Tickets tickets={order.ticketList} />
          </Part>
          {order.stations.length + order.courses.length > 0 && (
            <Part title={t.orders.stations}>
              <OrderStations order={order} />
            </Part>
          )}
          <Part title={t.orders.screens}>
            <OrderScreens order={order} />
          </Part>
        </div>
        <Part title={t.orders.timeline}>
          <OrderTimeline order={order} />
        </Part>
      </div>
    </Page>
  )
}

function Tickets({ tickets }: { tickets: OrderHistoryAnswer['ticketList'] }) {
  const { t } = useSpeech()
  if (tickets.length === 0) return <p className="soft">{t.orders.noTickets}</p>
  return (
    <ul className="rows">
      {tickets.map((ticket) => (
        <Ticket key={ticket.ticketId} ticket={ticket} isOpenAtFirst={isTrouble(ticket)} />
      ))}
    </ul>
  )
}

function isTrouble({ state }: TicketHistoryAnswer): boolean {
  return state === 'parked' || state === 'failed' || state === 'uncertain'
}

function Ticket({ ticket, isOpenAtFirst }: { ticket: TicketHistoryAnswer; isOpenAtFirst: boolean }) {
  const { t } = useSpeech()
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const { tone, words, hint } = ticketStanding(ticket, t)
  const kind = [
    lookup(t.job.kinds, ticket.kind),
    ...(ticket.paper === 'kitchen' ? [] : [lookup(t.paper, ticket.paper)]),
  ]
  const name = ticket.printer || t.job.noPrinter
  return (
    <li>
      <span>
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        <span className="soft">{kind.join(t.common.comma)}</span>
      </span>
      <Mark tone={tone}>{words}</Mark>
      <div className="order-ticket">
        {hint && <p>{hint}</p>}
        <Button variant="default" size="compact-md" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t.orders.closeTicket : t.orders.openTicket}
          <span className="hidden"> {name}</span>
        </Button>
        {isOpen && (
          <div className="stack">
            <TicketCause ticket={ticket} />
            <TicketActs ticket={ticket} stays />
            {ticket.kind !== 'test' && ticket.kind !== 'drawer' && <TicketDrawing ticketId={ticket.ticketId} />}
          </div>
        )}
      </div>
    </li>
  )
}

/** Shown only on the ticket's own page, and in the text for support. */
const OF_THE_WIRE = new Set<OrderMomentAnswer['step']>(['connected', 'first-byte', 'last-byte'])
const TROUBLE = new Set<OrderMomentAnswer['step']>(['doubt', 'failed', 'paper-instead', 'voided'])

/** Everything that happened to the order, on paper and on screens, step by step; as text too, for support. */
function OrderTimeline({ order }: { order: OrderHistoryAnswer }) {
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
