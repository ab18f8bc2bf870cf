// One ticket: its state and the reason, its events by the millisecond, why it was routed there, and its drawing.
import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useRead } from '#gateway/web/admin/operations.ts'
import { TicketDrawing } from '#gateway/web/admin/parts/ticket-drawing.tsx'
import { TicketActs, TicketCause, TicketStanding } from '#gateway/web/admin/parts/ticket-story.tsx'
import { Timeline } from '#gateway/web/admin/parts/timeline.tsx'
import { ticketName } from '#gateway/web/admin/parts/words.ts'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

export function JobPage() {
  const { t } = useSpeech()
  const { ticketId = '' } = useParams({ strict: false }) as { ticketId?: string }
  const show = useRead('jobs.show', { ticketId })
  if (show.error)
    return (
      <Page title={t.job.title}>
        <Problem error={show.error} />
      </Page>
    )
  const ticket = show.data
  if (!ticket) return null
  const order = ticket.orderNumber !== '' && (
    <Button variant="default" component={Link} to="/orders/$order" params={{ order: ticket.printJobId } as never}>
      {t.orders.ofOrder}
    </Button>
  )
  return (
    <Page title={ticketName(ticket, t)} actions={order}>
      <TicketCause ticket={ticket} />
      <TicketStanding ticket={ticket} />
      <Part title={t.job.acts}>
        <TicketActs ticket={ticket} />
      </Part>
      <Part title={t.job.timeline}>
        <Timeline ticket={ticket} />
      </Part>
      {ticket.trace.length > 0 && (
        <Part title={t.job.trace}>
          <ol>
            {ticket.trace.map((why) => (
              <li key={why}>
                <bdi>{why}</bdi>
              </li>
            ))}
          </ol>
        </Part>
      )}
      {ticket.kind !== 'test' && ticket.kind !== 'drawer' && (
        <Part title={t.job.paper}>
          <TicketDrawing ticketId={ticket.ticketId} />
        </Part>
      )}
    </Page>
  )
}
