// One delivery: its attempts with everything that was sent, one more attempt, and the same by hand: curl, the signature, the inspector.
import { Button } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { DeliveryAnswer, DeliveryDetailAnswer } from '#cloud/control/webhook-list.ts'
import { webhookWords } from '#cloud/web/messages/webhooks.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { AttemptList } from '#cloud/web/parts/webhooks/attempt-list.tsx'
import { curlOf, opensslCheck } from '#cloud/web/parts/webhooks/curl.ts'
import { ResendButton } from '#cloud/web/parts/webhooks/delivery-list.tsx'
import { DELIVERY_TONES, pretty } from '#cloud/web/parts/webhooks/webhook-words.ts'
import { useMay, usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import './webhooks.css'

const EVERY_MS = 5_000

interface DetailProps {
  merchantId: string
  delivery: DeliveryDetailAnswer
}

export function DeliveryPage() {
  const t = usePageWords(webhookWords)
  const { id = '' } = useParams({ strict: false })
  const { merchantId } = usePlace()
  // What is no id of a delivery is refused by the relay in words.
  const deliveryId = id as DeliveryAnswer['deliveryId']
  const delivery = useRead(
    'deliveries.get',
    { merchantId: merchantId ?? '', deliveryId },
    { everyMs: EVERY_MS, enabled: merchantId !== null },
  )
  const mayChange = useMay('build')
  return (
    <Page
      title={delivery.data ? `${t.delivery}: ${delivery.data.type}` : t.delivery}
      actions={mayChange && merchantId !== null && delivery.data && <ResendButton {...{ merchantId, deliveryId }} />}
    >
      <Answer of={delivery}>
        {(known) => merchantId !== null && <Delivery merchantId={merchantId} delivery={known} />}
      </Answer>
    </Page>
  )
}

function Delivery({ merchantId, delivery }: DetailProps) {
  const t = usePageWords(webhookWords)
  return (
    <>
      <Standing merchantId={merchantId} delivery={delivery} />
      <div className="delivery-page">
        <Part title={t.attempts.title}>
          <AttemptList attempts={delivery.attempts} />
        </Part>
        <ByHand delivery={delivery} />
      </div>
    </>
  )
}

function Standing({ merchantId, delivery }: DetailProps) {
  const t = usePageWords(webhookWords)
  const { formats } = useSpeech()
  const { state, endpoint, eventId, nextAttemptAt, deliveryId } = delivery
  return (
    <section className="card">
      <Mark tone={DELIVERY_TONES[state]}>{t.deliveryStates[state]}</Mark>
      <p>{nextAttemptAt === null ? t.attempts.noNext : t.attempts.next(formats.dateTime(nextAttemptAt))}</p>
      <dl className="endpoint-facts">
        <div>
          <dt>{t.endpoint}</dt>
          <dd>
            <Link to="/webhooks/$id" params={{ id: endpoint.webhookId }}>
              <bdi>{endpoint.kind === 'url' ? endpoint.url : t[endpoint.kind]}</bdi>
            </Link>
          </dd>
        </div>
        <div>
          <dt>{t.event}</dt>
          <dd>
            <Link to="/events/$id" params={{ id: eventId }}>
              <code className="id">{eventId}</code>
            </Link>
          </dd>
        </div>
        <div>
          <dt>{t.delivery}</dt>
          <dd>
            <code className="id">{deliveryId}</code>
          </dd>
        </div>
      </dl>
      {endpoint.kind === 'url' && <ToInspector merchantId={merchantId} delivery={delivery} />}
    </section>
  )
}

/** Opens the inspector if there is none, and sends the event there. */
function ToInspector({ merchantId, delivery }: DetailProps) {
  const t = usePageWords(webhookWords)
  const { environment } = usePlace()
  const mayChange = useMay('build')
  const navigate = useNavigate()
  const eventId = delivery.eventId as DeliveryAnswer['eventId']
  const send = useChange('events.resend', () => void navigate({ to: '/webhooks/inspector' }))
  const open = useChange('inspector.open', ({ webhookId }) => send.mutate({ merchantId, eventId, webhookId }))
  if (environment !== 'sandbox' || !mayChange) return null
  return (
    <div>
      <Button variant="default" loading={open.isPending || send.isPending} onClick={() => open.mutate({ merchantId })}>
        {t.inInspector}
      </Button>
      <Problem error={open.error ?? send.error} />
    </div>
  )
}

function ByHand({ delivery }: { delivery: DeliveryDetailAnswer }) {
  const t = usePageWords(webhookWords)
  const { body, isMasked, attempts, endpoint } = delivery
  const headers = attempts.findLast((attempt) => attempt.headers !== null)?.headers ?? null
  return (
    <div className="stack">
      <Part title={t.attempts.body}>
        {isMasked && <p>{t.attempts.masked}</p>}
        <CodeBlock hasHeading label={t.attempts.body} text={pretty(body)} exact={body} copy={t.copyBody} />
      </Part>
      {headers !== null && endpoint.kind === 'url' && (
        <Part title={t.curl}>
          <CodeBlock
            hasHeading
            label={t.curl}
            text={curlOf({ method: 'POST', url: endpoint.url, headers, body })}
            copy={t.copyCurl}
          />
        </Part>
      )}
      {!isMasked && (
        <Part title={t.verify.title}>
          <p className="soft">{t.verify.hint}</p>
          <CodeBlock hasHeading label={t.verify.title} text={opensslCheck(body)} />
          {headers?.['X-Service-Signature'] !== undefined && (
            <p>
              {t.verify.must}: <code>{headers['X-Service-Signature']}</code>
            </p>
          )}
        </Part>
      )}
    </div>
  )
}
