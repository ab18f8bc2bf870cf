// The ticket of the newest order: of the one that was sent here, else of whatever comes from a terminal. A box of one's own prints it too.
import { ordersWords } from '#cloud/web/messages/orders.ts'
import { quickStartWords } from '#cloud/web/messages/quick-start.ts'
import { useRead } from '#cloud/web/operations.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import type { ServiceOrderId } from '#shared/ids.ts'
import { PaperDrawing } from '#shared/ui/parts/paper-drawing.tsx'
import { Step } from './step.tsx'

/** The feed tells of orders; this asks again where the feed is away. */
const EVERY_MS = 2_000

export function PaperStep({ merchantId, order }: { merchantId: string; order: string | null }) {
  const t = usePageWords(quickStartWords)
  const { drawing: drawingWords, order: orderWords } = usePageWords(ordersWords)
  const newest = useRead('orders.list', { merchantId }, { enabled: order === null, everyMs: EVERY_MS })
  const serviceOrderId = (order ?? newest.data?.rows[0]?.serviceOrderId ?? '') as ServiceOrderId
  const drawing = useRead(
    'orders.drawing',
    { merchantId, serviceOrderId },
    { enabled: serviceOrderId !== '', everyMs: EVERY_MS },
  )
  const shown = drawing.data?.tickets.find(({ printedAt }) => printedAt !== null)
  return (
    <Step number={3} title={t.paper.title} isDone={shown !== undefined}>
      {shown === undefined ? (
        <p className="soft" role="status">
          {t.paper.waiting}
        </p>
      ) : (
        <>
          <p>{drawing.data?.source === 'composed' ? orderWords.composed : t.paper.explain}</p>
          <PaperDrawing drawing={shown} warnings={shown.warnings} words={drawingWords} />
        </>
      )}
    </Step>
  )
}
