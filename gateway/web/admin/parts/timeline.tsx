// What happened to a ticket, step by step with milliseconds; as text too, for support.
import { Button, Group, Textarea } from '@mantine/core'
import { useRef, useState } from 'react'
import type { TicketHistoryAnswer, TimelineAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { copyFrom } from '#shared/ui/page-browser.ts'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { lookup } from './words.ts'

export function Timeline({ ticket }: { ticket: TicketHistoryAnswer }) {
  const { t, formats } = useSpeech()
  const say = useNotice()
  const [isText, setText] = useState(false)
  const text = useRef<HTMLTextAreaElement>(null)
  const copy = () => say(text.current && copyFrom(text.current) ? t.job.copied : t.job.copyFailed)
  const by = (step: TimelineAnswer) =>
    step.by === null ? '' : lookup({ ...t.printer.reasons, ...t.job.reasons, ...t.job.methods }, step.by)
  /** Where the time went: a ticket that waited for hours printed in milliseconds. */
  const sincePrevious = (step: TimelineAnswer, before: TimelineAnswer | undefined) =>
    before === undefined ? '' : `+${formats.duration(step.afterMs - before.afterMs)}`
  return (
    <div className="stack">
      <ol className="timeline">
        {ticket.timeline.map((step, index, all) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end
          <li key={index} className={isTrouble(step) ? 'trouble' : ''}>
            <span className="number">+{formats.duration(step.afterMs)}</span>
            <span>
              <strong>{lookup(t.job.steps, step.step)}</strong>{' '}
              <span className="soft number">{sincePrevious(step, all[index - 1])}</span> {by(step)}
              {step.attempt !== null && step.attempt > 1 && (
                <span className="soft"> {t.job.attempt(step.attempt)}</span>
              )}
            </span>
            <time className="soft number" dateTime={step.at}>
              {formats.exactTime(step.at)}
            </time>
          </li>
        ))}
      </ol>
      {ticket.attemptList
        .filter(({ detail }) => detail !== null && detail !== '')
        .map(({ attempt, printer, detail }) => (
          <p key={attempt} className="soft">
            {t.job.attempt(attempt)} {printer}: {detail}
          </p>
        ))}
      <Group>
        <Button variant="default" aria-expanded={isText} onClick={() => setText(!isText)}>
          {t.job.asText}
        </Button>
        {isText && <Button onClick={copy}>{t.job.copy}</Button>}
      </Group>
      {isText && (
        <Textarea
          ref={text}
          aria-label={t.job.asText}
          readOnly
          autosize={false}
          rows={10}
          value={asText(ticket)}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
    </div>
  )
}

function isTrouble({ step }: TimelineAnswer): boolean {
  return step === 'doubt' || step === 'failed'
}

/** For support, who read English. */
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
