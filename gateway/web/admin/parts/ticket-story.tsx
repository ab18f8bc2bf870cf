// The state of a ticket, why it is not on paper, and the possible actions: on its own page and on its order's card.
import { Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { TicketHistoryAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useChange } from '#gateway/web/admin/operations.ts'
import { isShownMarked, SETTLED_BEFORE } from '#shared/settled-before.ts'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { PrinterField } from './printer-field.tsx'
import { ticketCause } from './ticket-cause.ts'
import { lookup, ticketStanding } from './words.ts'

/** What one came for, before everything else. */
export function TicketCause({ ticket }: { ticket: TicketHistoryAnswer }) {
  const { t, formats } = useSpeech()
  const printer = useLive().topics.printers[ticket.printerId]
  const cause = ticketCause(ticket, printer, { t, formats })
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

export function TicketStanding({ ticket }: { ticket: TicketHistoryAnswer }) {
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
        <dd>{[lookup(t.job.kinds, ticket.kind), lookup(t.paper, ticket.paper)].join(t.common.comma)}</dd>
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
/** Includes a ticket whose printer has stopped. */
const MOVES = new Set([...WAITS, 'sending'])

/** @param stays on the page, also when another ticket was made */
export function TicketActs({ ticket, stays = false }: { ticket: TicketHistoryAnswer; stays?: boolean }) {
  const { t } = useSpeech()
  const say = useNotice()
  const navigate = useNavigate()
  const [printer, setPrinter] = useState('')
  const printers = useLive().topics.printers
  const queries = useQueryClient()
  const done = () => {
    say(t.common.done)
    void queries.invalidateQueries({ queryKey: ['orders'] })
  }
  const { ticketId } = ticket
  const cancel = useChange('jobs.cancel', done)
  const resolve = useChange('jobs.resolve', done)
  const move = useChange('jobs.move', done)
  const target = printer === ticket.printerId ? undefined : printers[printer]
  const reprint = useChange('jobs.reprint', (queued) => {
    say(t.job.reprinted)
    if (stays) void queries.invalidateQueries({ queryKey: ['orders'] })
    else void navigate({ to: '/jobs/$ticketId', params: { ticketId: queued.ticketId } as never })
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
            <PrinterField
              name="printer"
              label={t.job.reprintAt}
              none={t.job.samePrinter}
              value={printer}
              set={setPrinter}
            />
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
