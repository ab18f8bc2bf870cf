// The results of the order: its ticket, and beside it the webhooks that a server would get.
import { quickStartWords } from '#cloud/web/messages/quick-start.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import { Paper, usePaper } from './paper.tsx'
import { Step } from './step.tsx'
import type { Inspector } from './use-inspector.ts'
import { useReceived, Webhooks } from './webhooks.tsx'

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
