// The ticket of the newest order: of the one that was sent here, else of whatever comes from a terminal. A box of one's own prints it too.
import type { OperationAnswers } from '#cloud/control/answers.ts'
import { ordersWords } from '#cloud/web/messages/orders.ts'
import { quickStartWords } from '#cloud/web/messages/quick-start.ts'
import { useRead } from '#cloud/web/operations.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import type { ServiceOrderId } from '#shared/ids.ts'
import { PaperDrawing } from '#shared/ui/parts/paper-drawing.tsx'

/** The feed reports orders; this repeats the request when the feed is not connected. */
const EVERY_MS = 2_000

type Drawing = OperationAnswers['orders.drawing']

interface FirstPaper {
  /** Null: nothing is on paper yet. */
  ticket: Drawing['tickets'][number] | null
  source: Drawing['source'] | null
}

/** @param order that was taken here; null: the newest one of the restaurant */
export function usePaper(merchantId: string, order: string | null): FirstPaper {
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

export function Paper({ paper: { ticket, source } }: { paper: FirstPaper }) {
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
