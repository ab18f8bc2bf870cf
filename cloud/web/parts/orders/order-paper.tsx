// The tickets of an order as drawn paper, with what the drawing is made from.
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { DrawingAnswer, DrawnTicketAnswer } from '#cloud/control/order-list.ts'
import { ordersWords } from '#cloud/web/messages/orders.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import { PaperDrawing } from '#shared/ui/parts/paper-drawing.tsx'
import { lookup } from './order-words.ts'

export function OrderPaper({ drawing, isPrint }: { drawing: DrawingAnswer; isPrint: boolean }) {
  const t = usePageWords(ordersWords)
  const [chosen, choose] = useState('')
  const { tickets, source } = drawing
  const shown = tickets.find(({ ticketId }) => ticketId === chosen) ?? tickets[0]
  if (shown === undefined) return <p className="soft">{isPrint ? t.order.notDrawn : t.order.noTicket}</p>
  const nameOf = ({ kind, printerName }: DrawnTicketAnswer) => t.order.ticketOf(lookup(t.jobs, kind), printerName)
  return (
    <div className="stack">
      {tickets.length > 1 && (
        <section className="ways" aria-label={t.order.paper}>
          {tickets.map((ticket) => (
            <Button
              key={ticket.ticketId}
              size="compact-md"
              variant={ticket === shown ? 'filled' : 'default'}
              aria-pressed={ticket === shown}
              onClick={() => choose(ticket.ticketId)}
            >
              {nameOf(ticket)}
            </Button>
          ))}
        </section>
      )}
      {tickets.length === 1 && <p className="soft">{nameOf(shown)}</p>}
      <PaperDrawing drawing={shown} warnings={shown.warnings} words={t.drawing} />
      <p className="soft">{source === 'printed' ? t.order.drawnFromBytes : t.order.composed}</p>
    </div>
  )
}
