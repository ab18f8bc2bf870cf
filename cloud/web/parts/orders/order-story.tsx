// The time line of an order, and what to do where its paper is uncertain or did not come.
import type { OrderAnswer, TraceAnswer, TraceStepAnswer } from '#cloud/control/order-list.ts'
import { ordersWords } from '#cloud/web/messages/orders.ts'
import type { OrdersWords } from '#cloud/web/messages/orders-en.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { StepTimeline } from '#shared/ui/parts/timeline.tsx'
import { lookup } from './order-words.ts'

const TROUBLE = new Set<TraceStepAnswer['step']>(['unproven', 'not-printed', 'voided'])

export function OrderStory({ order, trace }: { order: OrderAnswer; trace: TraceAnswer }) {
  const t = usePageWords(ordersWords)
  const { formats } = useSpeech()
  const steps = trace.steps.map((step) => ({
    at: step.at,
    afterMs: step.sinceMs,
    name: nameOf(step, t),
    why: whyOf(step, t, formats.duration),
    attempt: step.webhook && step.webhook.attempt > 1 ? t.tryNumber(step.webhook.attempt) : '',
    isTrouble: TROUBLE.has(step.step) || (step.webhook !== null && !isTaken(step.webhook.status)),
  }))
  return (
    <>
      {trace.paperMs !== null && <p>{t.order.paperMs(formats.duration(trace.paperMs))}</p>}
      <StepTimeline steps={steps} text={asText(order, trace)} words={t.timeline} />
    </>
  )
}

/** Before all else: what a person must decide. */
export function OrderTrouble({ proof, trace }: { proof: OrderAnswer['proof']; trace: TraceAnswer | undefined }) {
  const t = usePageWords(ordersWords)
  if (proof !== 'uncertain' && proof !== 'failed') return null
  const step = trace?.steps.findLast((one) => one.step === 'unproven' || one.step === 'not-printed')
  const [title, hint] =
    proof === 'uncertain' ? [t.order.uncertainTitle, t.order.uncertainDo] : [t.order.failedTitle, t.order.failedDo]
  return (
    <section className={`trouble-card ${proof}`} aria-label={title}>
      <h2>{title}</h2>
      {proof === 'uncertain' && <p>{t.order.uncertainHow(step?.where ?? '')}</p>}
      {step?.by && (
        <p className="soft">
          <code>{step.by}</code>
        </p>
      )}
      <p>
        <strong>{hint}</strong>
      </p>
    </section>
  )
}

function nameOf({ step, by, webhook }: TraceStepAnswer, t: OrdersWords): string {
  if (webhook !== null)
    return webhook.status === null
      ? t.webhookNoAnswer(webhook.type)
      : t.webhookAnswered(webhook.type, String(webhook.status))
  return step === 'proof' && by === 'assumed' ? t.assumedStep : t.steps[step]
}

function whyOf(
  { step, where, job, by, method, webhook }: TraceStepAnswer,
  t: OrdersWords,
  length: (ms: number) => string,
) {
  const how = step === 'proof' && method !== null ? lookup(t.methods, method) : step === 'proof' ? null : by
  return [
    where ?? (webhook === null ? null : t.inspector),
    job === null ? null : lookup(t.jobs, job),
    how,
    ...(webhook === null
      ? []
      : [t.webhookTook(length(webhook.ms)), webhook.error, webhook.trigger === 'manual' ? t.byHand : null]),
  ]
    .filter((part) => part !== null && part !== '')
    .join(' · ')
}

const isTaken = (status: number | null): boolean => status !== null && status >= 200 && status < 300

/** For the support staff, in English. Without the customer's data. */
function asText({ order, number }: OrderAnswer, { steps }: TraceAnswer): string {
  return [
    `order #${number} ${order.serviceOrderId} of ${order.merchantId}`,
    ...steps.map(({ at, sinceMs, step, where, job, method, by, webhook }) =>
      [at, `+${sinceMs} ms`, step, where, job, method ?? by, ...webhookText(webhook)]
        .filter((part) => part !== null)
        .join(' '),
    ),
  ].join('\n')
}

function webhookText(webhook: TraceStepAnswer['webhook']): (string | null)[] {
  if (webhook === null) return []
  const { type, deliveryId, attempt, status, error, ms } = webhook
  return [type, deliveryId, `#${attempt}`, status === null ? null : String(status), error, `${ms} ms`]
}
