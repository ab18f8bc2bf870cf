// One ticket: how it stands and why, what happened to it by the millisecond, why it went there, how it looks on paper.
import { Button, Group } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { TicketHistoryAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { PrinterField } from '#gateway/web/admin/parts/printer-field.tsx'
import { ticketCause } from '#gateway/web/admin/parts/ticket-cause.ts'
import { TicketDrawing } from '#gateway/web/admin/parts/ticket-drawing.tsx'
import { Timeline } from '#gateway/web/admin/parts/timeline.tsx'
import { lookup, ticketName, ticketStanding } from '#gateway/web/admin/parts/words.ts'
import { isShownMarked, SETTLED_BEFORE } from '#shared/settled-before.ts'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
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
  return (
    <Page title={ticketName(ticket, t)}>
      <Cause ticket={ticket} />
      <Standing ticket={ticket} />
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
              <li key={why}>{why}</li>
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

/** What one came for, before everything else. */
function Cause({ ticket }: { ticket: TicketHistoryAnswer }) {
  const { t, formats } = useSpeech()
  const printer = useLive().topics.printers[ticket.printerId]
  const cause = ticketCause(ticket, printer, t, formats)
  if (!cause) return null
  const lastWords = ticket.attemptList.findLast(({ detail }) => detail !== null && detail !== '')?.detail
  return (
    <section className={`cause ${cause.tone}`}>
      <h2>{t.job.cause}</h2>
      <Mark tone={cause.tone}>{cause.words}</Mark>
      {cause.hint && <p>{cause.hint}</p>}
      {lastWords && cause.tone !== 'idle' && (
        <p className="soft" lang="en">
          {lastWords}
        </p>
      )}
    </section>
  )
}

function Standing({ ticket }: { ticket: TicketHistoryAnswer }) {
  const { t, formats } = useSpeech()
  const { tone, words, hint } = ticketStanding(ticket, t)
  return (
    <section className="card">
      <Mark tone={tone}>{words}</Mark>
      {hint && <p>{hint}</p>}
      {isShownMarked(ticket) && <p>{t.job.marked}</p>}
      {ticket.unprintable ? <p>{t.job.unprintable(ticket.unprintable)}</p> : null}
      <dl className="facts">
        <dt>{t.jobs.printer}</dt>
        <dd>
          {ticket.movedFrom === null
            ? ticket.printer || t.job.noPrinter
            : t.job.movedFrom(ticket.printer, ticket.movedFrom)}
        </dd>
        <dt>{t.job.kind}</dt>
        <dd>{[lookup(t.job.kinds, ticket.kind), lookup(t.paper, ticket.paper)].join(', ')}</dd>
        <dt>{t.job.receivedAt}</dt>
        <dd>{formats.dateTime(ticket.receivedAt)}</dd>
        {/* Proof there may be, but not here. */}
        {ticket.reason !== SETTLED_BEFORE && (
          <>
            <dt>{t.job.proof}</dt>
            <dd>{ticket.method === null ? t.common.none : lookup(t.job.methods, ticket.method)}</dd>
          </>
        )}
        <dt>{t.job.ids}</dt>
        <dd>
          <code>{ticket.ticketId}</code> <code>{ticket.printJobId}</code>
        </dd>
      </dl>
    </section>
  )
}

const WAITS = new Set(['held', 'queued', 'parked'])
/** Also one at which its printer stands still. */
const MOVES = new Set([...WAITS, 'sending'])

function TicketActs({ ticket }: { ticket: TicketHistoryAnswer }) {
  const { t } = useSpeech()
  const say = useNotice()
  const navigate = useNavigate()
  const [printer, setPrinter] = useState('')
  const printers = useLive().topics.printers
  const done = () => say(t.common.done)
  const { ticketId } = ticket
  const cancel = useChange('jobs.cancel', done)
  const resolve = useChange('jobs.resolve', done)
  const move = useChange('jobs.move', done)
  const target = printer === ticket.printerId ? undefined : printers[printer]
  const reprint = useChange('jobs.reprint', (queued) => {
    say(t.job.reprinted)
    void navigate({ to: '/jobs/$ticketId', params: { ticketId: queued.ticketId } as never })
  })
  return (
    <div className="stack">
      {ticket.state === 'parked' && (
        <Group>
          {(['print', 'on-paper', 'dismiss'] as const).map((how) => (
            <Button
              key={how}
              variant={how === 'print' ? 'filled' : 'default'}
              onClick={() => resolve.mutate({ ticketId, how })}
            >
              {t.job.resolve[how]}
            </Button>
          ))}
        </Group>
      )}
      <Group align="end">
        {WAITS.has(ticket.state) && (
          <AskButton
            label={t.job.cancel}
            question={t.job.cancelQuestion}
            color="red"
            act={() => cancel.mutate({ ticketId })}
          />
        )}
        {ticket.kind !== 'test' && (
          <>
            <PrinterField label={t.job.reprintAt} none={t.job.samePrinter} value={printer} set={setPrinter} />
            {target && MOVES.has(ticket.state) && (
              <AskButton
                label={t.job.move}
                question={t.job.moveQuestion(target.name)}
                act={() => move.mutate({ ticketId, printer })}
              />
            )}
            <AskButton
              label={t.job.reprint}
              question={t.job.reprintQuestion}
              act={() => reprint.mutate(printer === '' ? { ticketId } : { ticketId, printer })}
            />
          </>
        )}
      </Group>
      <Problem error={cancel.error ?? resolve.error ?? move.error ?? reprint.error} />
    </div>
  )
}
