// The tickets of an order as drawn paper, with what the drawing is made from.
import { SegmentedControl } from '@mantine/core'
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
        <SegmentedControl
          aria-label={t.order.paper}
          className="ticket-choice"
          value={shown.ticketId}
          onChange={choose}
          data={tickets.map((ticket) => ({ value: ticket.ticketId, label: nameOf(ticket) }))}
        />
      )}
      {tickets.length === 1 && <p className="soft">{nameOf(shown)}</p>}
      <PaperDrawing drawing={shown} warnings={shown.warnings} words={t.drawing} />
      <p className="soft">{source === 'printed' ? t.order.drawnFromBytes : t.order.composed}</p>
    </div>
  )
}
