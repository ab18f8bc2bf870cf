// One order: its content and state, its tickets with the possible actions, its screens, and one timeline of all of it.
import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { OrderHistoryAnswer, TicketHistoryAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useRead } from '#gateway/web/admin/operations.ts'
import { OrderFacts, OrderLines, OrderScreens, OrderStations } from '#gateway/web/admin/parts/order-card.tsx'
import { OrderTimeline } from '#gateway/web/admin/parts/order-timeline.tsx'
import { orderName, orderStanding } from '#gateway/web/admin/parts/order-words.ts'
import { TicketDrawing } from '#gateway/web/admin/parts/ticket-drawing.tsx'
import { TicketActs, TicketCause } from '#gateway/web/admin/parts/ticket-story.tsx'
import { lookup, ticketStanding } from '#gateway/web/admin/parts/words.ts'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import '#gateway/web/admin/orders.css'

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
