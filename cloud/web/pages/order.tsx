// One order: its steps, its drawn ticket, its items, its webhooks, and the same as JSON.
import { Button } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { DrawingAnswer, DrawnTicketAnswer, OrderAnswer } from '#cloud/control/order-list.ts'
import { ordersWords } from '#cloud/web/messages/orders.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { OfRestaurant } from '#cloud/web/parts/of-restaurant.tsx'
import { againBody } from '#cloud/web/parts/orders/again-body.ts'
import { OrderActs } from '#cloud/web/parts/orders/order-acts.tsx'
import { OrderFacts, OrderItems, OrderJson } from '#cloud/web/parts/orders/order-side.tsx'
import { OrderStory, OrderTrouble } from '#cloud/web/parts/orders/order-story.tsx'
import { OrderWebhooks } from '#cloud/web/parts/orders/order-webhooks.tsx'
import { lookup, moneyWords, PROOF_TONES, STATE_TONES } from '#cloud/web/parts/orders/order-words.ts'
import { useMay, usePlace } from '#cloud/web/place.tsx'
import { randomBytes } from '#cloud/web/random.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { OrderTold } from '#cloud/web/texts/order-told.tsx'
import type { ServiceOrderId } from '#shared/ids.ts'
import { languageFacts } from '#shared/languages.ts'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import './orders.css'
import { useState } from 'react'
import { PaperDrawing } from '#shared/ui/parts/paper-drawing.tsx'

/** The feed reports changes of the order, but not single attempts of its webhooks. */
const TRACE_EVERY_MS = 5_000

export function OrderPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return (
    <OfRestaurant>
      {(merchantId) => <Shown key={id} merchantId={merchantId} serviceOrderId={id as ServiceOrderId} />}
    </OfRestaurant>
  )
}

interface ShownProps {
  merchantId: string
  serviceOrderId: ServiceOrderId
}

function Shown({ merchantId, serviceOrderId }: ShownProps) {
  const t = usePageWords(ordersWords)
  const { t: frame } = useSpeech()
  const body = { merchantId, serviceOrderId }
  const order = useRead('orders.get', body)
  const trace = useRead('orders.trace', body, { everyMs: TRACE_EVERY_MS })
  const drawing = useRead('orders.drawing', body)
  const title = order.data === undefined ? frame.nav.pages.orders : t.order.title(order.data.number)
  return (
    <Page title={title} actions={order.data && <Standing order={order.data} />}>
      <Answer of={order} rows={8}>
        {(answer) => (
          <>
            <AtAGlance order={answer} />
            <ActBar merchantId={merchantId} order={answer} />
            <OrderTrouble proof={answer.proof} trace={trace.data} />
            {trace.data?.told.map((told) => (
              <OrderTold key={told.by} told={told} />
            ))}
            <div className="order-page">
              <div className="order-main">
                <Part title={t.order.trace}>
                  <Answer of={trace}>{(story) => <OrderStory order={answer} trace={story} />}</Answer>
                </Part>
                <Part title={t.order.webhooks}>
                  <Answer of={trace} rows={2}>
                    {(story) => <OrderWebhooks merchantId={merchantId} trace={story} />}
                  </Answer>
                </Part>
                <OrderJson order={answer} />
              </div>
              <div className="order-side">
                <Part title={t.order.items}>
                  <section className="card">
                    <OrderItems order={answer} />
                  </section>
                </Part>
                <Part title={t.order.paper}>
                  <Answer of={drawing} rows={3}>
                    {(drawn) => <OrderPaper drawing={drawn} isPrint={answer.order.print} />}
                  </Answer>
                </Part>
                <Part title={t.order.facts}>
                  <section className="card">
                    <OrderFacts order={answer} />
                  </section>
                </Part>
              </div>
            </div>
          </>
        )}
      </Answer>
    </Page>
  )
}

function Standing({ order: { order, proof } }: { order: OrderAnswer }) {
  const t = usePageWords(ordersWords)
  return (
    <span className="standing">
      <Mark tone={STATE_TONES[order.status]}>{t.states[order.status]}</Mark>
      <Mark tone={PROOF_TONES[proof]}>{t.proofs[proof]}</Mark>
    </span>
  )
}

/** Below the title: the facts that are needed most. */
function AtAGlance({ order: { order, currency } }: { order: OrderAnswer }) {
  const t = usePageWords(ordersWords)
  const { formats, language } = useSpeech()
  const parts = [
    order.source,
    order.table === null ? null : t.table(order.table),
    formats.dateTime(order.queuedAt),
  ].filter((part) => part !== null)
  return (
    <p className="at-a-glance">
      <strong>{moneyWords(order.total, currency, languageFacts(language).locale)}</strong>{' '}
      <bdi className="soft">{parts.join(' · ')}</bdi>
    </p>
  )
}

function ActBar({ merchantId, order: answer }: { merchantId: string; order: OrderAnswer }) {
  const { order, number, currency } = answer
  const { environment } = usePlace()
  const maySell = useMay('serve')
  const row = {
    serviceOrderId: order.serviceOrderId as ServiceOrderId,
    number,
    status: order.status,
    refundable: order.refundable,
  }
  return (
    <div className="act-bar">
      <OrderActs merchantId={merchantId} order={row} currency={currency} />
      {environment === 'sandbox' && maySell && <SameAgain order={answer} />}
    </div>
  )
}

/** "What if": the same once more, with an id of its own. */
function SameAgain({ order: { order } }: { order: OrderAnswer }) {
  const { acts } = usePageWords(ordersWords)
  const say = useNotice()
  const navigate = useNavigate()
  const change = useChange('orders.inject', ({ serviceOrderId }) => {
    say(acts.againDone)
    void navigate({ to: `/orders/${serviceOrderId}` as '/' })
  })
  return (
    <>
      <Button
        variant="default"
        loading={change.isPending}
        onClick={() => change.mutate(againBody(order, `again-${randomBytes(6)}`))}
      >
        {acts.again}
      </Button>
      <Problem error={change.error} />
    </>
  )
}

/** The tickets of an order as drawn paper, with what the drawing is made from. */
function OrderPaper({ drawing, isPrint }: { drawing: DrawingAnswer; isPrint: boolean }) {
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
