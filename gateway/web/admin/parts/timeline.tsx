// What happened to a ticket, step by step with milliseconds; as text too, for support.
import type { TicketHistoryAnswer, TimelineAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { StepTimeline } from '#shared/ui/parts/timeline.tsx'
import { lookup } from './words.ts'

export function Timeline({ ticket }: { ticket: TicketHistoryAnswer }) {
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
