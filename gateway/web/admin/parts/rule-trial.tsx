// Tries rules on an order of the past: where it would be routed, why, and the drawing of each ticket.
import { Loader } from '@mantine/core'
import { useState } from 'react'
import type { OperationAnswers } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useRead } from '#gateway/web/admin/operations.ts'
import type { RoutingRule } from '#shared/tickets/routing-rules.ts'
import { ChoiceField } from '#shared/ui/parts/fields.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import { PaperDrawing } from '#shared/ui/parts/paper-drawing.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { useSettled } from '#shared/ui/use-settled.ts'
import { lookup } from './words.ts'

/** @param rules those of the form; null: those that are saved */
export function RuleTrial({ rules }: { rules: readonly RoutingRule[] | null }) {
  const { t, formats } = useSpeech()
  const recent = useRead('routing.recent', {})
  const [ticketId, setTicketId] = useState('')
  const orders = recent.data ?? []
  const isSendable = rules === null || rules.every(({ print }) => print.printerIds.length > 0)
  const wanted = { ticketId, ...(rules !== null && isSendable ? { rules: [...rules] } : {}) }
  const asked = useSettled(wanted)
  return (
    <Part title={t.rules.try.title}>
      <p className="soft">{orders.length === 0 ? t.rules.try.none : t.rules.try.explain}</p>
      {orders.length > 0 && (
        <ChoiceField
          name="order"
          label={t.rules.try.order}
          value={ticketId}
          set={setTicketId}
          choices={[
            ['', t.rules.try.choose] as const,
            ...orders.map((one) => [one.ticketId, `#${one.number} · ${formats.dateTime(one.receivedAt)}`] as const),
          ]}
        />
      )}
      <Problem error={recent.error} />
      {asked.ticketId !== '' && (
        <>
          <p className="soft">{rules === null ? t.rules.try.asSaved : t.rules.try.withDraft}</p>
          <Tried asked={asked} />
        </>
      )}
    </Part>
  )
}

interface Asked {
  ticketId: string
  rules?: RoutingRule[]
}

function Tried({ asked }: { asked: Asked }) {
  const { t } = useSpeech()
  const [shown, setShown] = useState(0)
  const result = useRead('routing.what-if', asked, { keep: true })
  if (!result.data) return result.error ? <Problem error={result.error} /> : <Loader aria-label={t.common.loading} />
  const { tickets } = result.data
  const index = Math.min(shown, tickets.length - 1)
  return (
    <>
      <WhatIfResult result={result.data} />
      {tickets.length > 1 && (
        <ChoiceField
          name="item"
          label={t.rules.try.show}
          value={String(index)}
          set={(next) => setShown(Number(next))}
          choices={tickets.map(
            ({ printerName }, at) => [String(at), t.rules.try.paper(at + 1, printerName || t.job.noPrinter)] as const,
          )}
        />
      )}
      {tickets[index]?.printerId !== '' && <Paper asked={asked} index={index} />}
    </>
  )
}

function Paper({ asked, index }: { asked: Asked; index: number }) {
  const { t } = useSpeech()
  const drawing = useRead('routing.preview', { ...asked, index }, { keep: true })
  if (!drawing.data) return <Problem error={drawing.error} />
  return <PaperDrawing drawing={drawing.data} warnings={drawing.data.warnings} words={t.job} />
}

export function WhatIfResult({ result }: { result: OperationAnswers['routing.what-if'] }) {
  const { t } = useSpeech()
  return (
    <div role="status" className="stack">
      <Mark tone={result.printsNow ? 'ok' : 'warn'}>
        {result.printsNow ? t.routing.printsNow : t.routing.printsLater}
      </Mark>
      {result.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <ul className="cards">
        {result.tickets.map((ticket, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the answer is shown as a whole
          <li key={index} className="card">
            <h3>
              <bdi>{ticket.printerName || t.job.noPrinter}</bdi>
            </h3>
            <p className="soft">
              {[lookup(t.paper, ticket.paper), ticket.station ?? ''].filter((words) => words !== '').join(' · ')}
            </p>
            <ul className="plain">
              {ticket.items.map(({ name, qty }, position) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: an order may have the same line twice
                <li key={position}>
                  {qty} × <bdi>{name}</bdi>
                </li>
              ))}
            </ul>
            <ul className="soft plain">
              {ticket.why.map((why) => (
                <li key={why}>
                  <bdi>{why}</bdi>
                </li>
              ))}
            </ul>
            {ticket.waitsFor !== null && <Mark tone="warn">{ticket.waitsFor}</Mark>}
          </li>
        ))}
      </ul>
    </div>
  )
}
