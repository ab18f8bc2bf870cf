// The results of the order: its ticket, and beside it the webhooks that a server would get.

import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import { ordersWords } from '#cloud/web/messages/orders.ts'
import { quickStartWords } from '#cloud/web/messages/quick-start.ts'
import { useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { pretty } from '#cloud/web/parts/webhooks/webhook-words.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import type { ServiceOrderId } from '#shared/ids.ts'
import type { ApiError } from '#shared/ui/api.ts'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { PaperDrawing } from '#shared/ui/parts/paper-drawing.tsx'
import { Step } from './step.tsx'
import type { Inspector } from './use-inspector.ts'

interface OutcomeStepProps {
  merchantId: string
  /** Of the order that was taken here; null: none was. */
  order: string | null
  inspector: Inspector
}

export function OutcomeStep({ merchantId, order, inspector }: OutcomeStepProps) {
  const t = usePageWords(quickStartWords)
  const paper = usePaper(merchantId, order)
  const received = useReceived(merchantId, inspector.isOpen === true)
  return (
    <Step number={3} title={t.outcome} isDone={paper.ticket !== null && (received.data?.data.length ?? 0) > 0}>
      <div className="outcome">
        <section className="stack">
          <h3>{t.paper.title}</h3>
          <Paper paper={paper} />
        </section>
        <section className="stack">
          <h3>{t.webhook.title}</h3>
          <p>{t.webhook.explain}</p>
          {inspector.isOpen === true ? <Webhooks received={received} /> : <p className="soft">{t.webhook.notOpen}</p>}
        </section>
      </div>
    </Step>
  )
}

/** The feed reports orders; this repeats the request when the feed is not connected. */
const EVERY_MS = 2_000

type Drawing = OperationAnswers['orders.drawing']

interface FirstPaper {
  /** Null: nothing is on paper yet. */
  ticket: Drawing['tickets'][number] | null
  source: Drawing['source'] | null
}

/** @param order that was taken here; null: the newest one of the restaurant */
function usePaper(merchantId: string, order: string | null): FirstPaper {
  const newest = useRead('orders.list', { merchantId }, { enabled: order === null, everyMs: EVERY_MS })
  const serviceOrderId = (order ?? newest.data?.rows[0]?.serviceOrderId ?? '') as ServiceOrderId
  const drawing = useRead(
    'orders.drawing',
    { merchantId, serviceOrderId },
    { enabled: serviceOrderId !== '', everyMs: EVERY_MS },
  )
  return {
    ticket: drawing.data?.tickets.find(({ printedAt }) => printedAt !== null) ?? null,
    source: drawing.data?.source ?? null,
  }
}

/** The ticket of the newest order: of the one that was sent here, else of whatever comes from a terminal. A box of one's own prints it too. */
function Paper({ paper: { ticket, source } }: { paper: FirstPaper }) {
  const { paper: t } = usePageWords(quickStartWords)
  const { drawing: drawingWords, order: orderWords } = usePageWords(ordersWords)
  if (ticket === null)
    return (
      <p className="soft" role="status">
        {t.waiting}
      </p>
    )
  return (
    <>
      <p>{source === 'composed' ? orderWords.composed : t.explain}</p>
      <PaperDrawing drawing={ticket} warnings={ticket.warnings} words={drawingWords} />
    </>
  )
}

/** An order has two or three events before the kitchen does anything. */
const SHOWN = 4

type Received = UseQueryResult<OperationAnswers['inspector.list'], ApiError>

function useReceived(merchantId: string, isOpen: boolean): Received {
  return useRead('inspector.list', { merchantId, limit: SHOWN }, { enabled: isOpen, everyMs: EVERY_MS })
}

/** What the inspector of the restaurant received last, newest first, and whether each signature is right; the newest one as it came. */
function Webhooks({ received }: { received: Received }) {
  const { webhook: t } = usePageWords(quickStartWords)
  return (
    <Answer of={received} rows={1}>
      {({ data }) => {
        const [newest] = data
        if (newest === undefined)
          return (
            <p className="soft" role="status">
              {t.waiting}
            </p>
          )
        return (
          <>
            <ul className="plain">
              {data.map(({ deliveryId, type, steps }) => (
                <li key={deliveryId}>
                  <strong>{t.received(type)}</strong>{' '}
                  {steps.every(({ ok }) => ok) ? <Mark tone="ok">{t.signed}</Mark> : <Mark tone="bad">{t.wrong}</Mark>}
                </li>
              ))}
            </ul>
            <CodeBlock label={t.label} text={pretty(newest.body)} />
            <p>
              <Link to="/webhooks/inspector">{t.next}</Link>
            </p>
          </>
        )
      }}
    </Answer>
  )
}
