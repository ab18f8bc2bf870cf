// The paper of the newest order: of the one that was sent here, else whatever comes first from a terminal.
import { ordersWords } from '#cloud/web/messages/orders.ts'
import { quickStartWords } from '#cloud/web/messages/quick-start.ts'
import { useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { usePageWords } from '#cloud/web/speech.tsx'
import { PaperDrawing } from '#shared/ui/parts/paper-drawing.tsx'
import { Step } from './step.tsx'

/** Paper comes by itself: nothing tells this page of it but its order. */
const EVERY_MS = 2_000

export function PaperStep({ merchantId, order }: { merchantId: string; order: string | null }) {
  const t = usePageWords(quickStartWords)
  const { drawing } = usePageWords(ordersWords)
  const paper = useRead('sandbox.paper', { merchantId }, { everyMs: EVERY_MS })
  const tickets = paper.data?.tickets ?? []
  const shown =
    tickets.find(({ serviceOrderId }) => serviceOrderId === order) ?? (order === null ? tickets[0] : undefined)
  return (
    <Step number={3} title={t.paper.title} isDone={shown !== undefined}>
      <p>{t.paper.explain}</p>
      <Answer of={paper} rows={2}>
        {() =>
          shown === undefined ? (
            <p className="soft" role="status">
              {t.paper.waiting}
            </p>
          ) : (
            <PaperDrawing drawing={shown} warnings={shown.warnings} words={drawing} />
          )
        }
      </Answer>
    </Step>
  )
}
