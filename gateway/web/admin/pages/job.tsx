// One ticket: its state and the reason, its events by the millisecond, why it was routed there, and its drawing.
import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import type { TicketHistoryAnswer, TimelineAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useRead } from '#gateway/web/admin/operations.ts'
import { TicketDrawing } from '#gateway/web/admin/parts/ticket-drawing.tsx'
import { TicketActs, TicketCause, TicketStanding } from '#gateway/web/admin/parts/ticket-story.tsx'
import { lookup, ticketName } from '#gateway/web/admin/parts/words.ts'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { StepTimeline } from '#shared/ui/parts/timeline.tsx'

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

/** What happened to a ticket, step by step with milliseconds; as text too, for support. */
function Timeline({ ticket }: { ticket: TicketHistoryAnswer }) {
  const { t } = useSpeech()
  const why = (step: TimelineAnswer) =>
    step.by === null ? '' : lookup({ ...t.printer.reasons, ...t.job.reasons, ...t.job.methods }, step.by)
  const steps = ticket.timeline.map((step) => ({
    ...step,
    name: lookup(t.job.steps, step.step),
    why: why(step),
    attempt: step.attempt !== null && step.attempt > 1 ? t.job.attempt(step.attempt) : '',
    isTrouble: isTrouble(step),
  }))
  return (
    <StepTimeline steps={steps} text={asText(ticket)} words={t.job}>
      {ticket.attemptList
        .filter(({ detail }) => detail !== null && detail !== '')
        .map(({ attempt, printer, detail }) => (
          <p key={attempt} className="soft">
            {t.job.attempt(attempt)} {printer}: {detail}
          </p>
        ))}
    </StepTimeline>
  )
}

function isTrouble({ step }: TimelineAnswer): boolean {
  return step === 'doubt' || step === 'failed'
}

/** For the support staff, in English. */
function asText({
  ticketId,
  printJobId,
  printer,
  state,
  reason,
  timeline,
  attemptList,
  trace,
}: TicketHistoryAnswer): string {
  return [
    `ticket ${ticketId} of ${printJobId} at ${printer}: ${state}${reason === null ? '' : ` (${reason})`}`,
    ...timeline.map(
      ({ at, afterMs, step, attempt, by }) =>
        `${at} +${afterMs} ms ${step}${attempt === null ? '' : ` #${attempt}`}${by === null ? '' : ` ${by}`}`,
    ),
    ...attemptList.map(
      ({ attempt, outcome, method, reason: why, detail }) =>
        `attempt ${attempt}: ${[outcome, method, why, detail].filter(Boolean).join(', ')}`,
    ),
    ...trace.map((why) => `because ${why}`),
  ].join('\n')
}
