// Tickets as rows; each leads to its timeline.
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { TicketAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useNow } from '#gateway/web/admin/live.tsx'
import { isShownMarked } from '#shared/settled-before.ts'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { lookup, ticketName, ticketStanding } from './words.ts'

export function TicketRows({ tickets }: { tickets: readonly TicketAnswer[] }) {
  const { t } = useSpeech()
  if (tickets.length === 0) return <p className="soft">{t.jobs.none}</p>
  return (
    <ul className="rows">
      {tickets.map((ticket) => (
        <TicketRow key={ticket.ticketId} ticket={ticket} />
      ))}
    </ul>
  )
}

function TicketRow({ ticket }: { ticket: TicketAnswer }) {
  const { t, formats } = useSpeech()
  const now = useNow()
  const { tone, words, hint } = ticketStanding(ticket, t)
  const facts = [
    ticket.orderId === ticket.orderNumber ? '' : formats.text(ticket.orderId),
    formats.text(ticket.printer) || t.job.noPrinter,
    ticket.paper === 'kitchen' ? '' : lookup(t.paper, ticket.paper),
    t.job.received(formats.ago(ticket.receivedAt, now)),
    ticket.notBefore && ticket.state === 'held' ? t.job.heldUntil(formats.dateTime(ticket.notBefore)) : '',
    ticket.attempts > 1 ? t.job.attempts(ticket.attempts) : '',
    isShownMarked(ticket) ? t.job.marked : '',
    ticket.unprintable ? t.job.unprintable(ticket.unprintable) : '',
    hint,
  ]
  return (
    <li>
      <Anchor component={Link} to="/jobs/$ticketId" params={{ ticketId: ticket.ticketId } as never}>
        {ticketName(ticket, t)}
      </Anchor>
      <Mark tone={tone}>{words}</Mark>
      <span className="soft">
        {facts.filter((fact) => fact !== '').join(' · ')}
        {(tone === 'bad' || tone === 'warn') && (
          <>
            {' · '}
            <Anchor component={Link} to="/jobs/$ticketId" params={{ ticketId: ticket.ticketId } as never}>
              {t.jobs.why}
              <span className="hidden"> {ticketName(ticket, t)}</span>
            </Anchor>
          </>
        )}
      </span>
    </li>
  )
}
