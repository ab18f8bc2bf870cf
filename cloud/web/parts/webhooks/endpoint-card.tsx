// An endpoint in a few lines: its state, its deliveries of a day, its last failure, the next retry; and a button when it is disabled.
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { EndpointAnswer } from '#cloud/control/webhook-list.ts'
import { useNow } from '#cloud/web/live.tsx'
import { webhookWords } from '#cloud/web/messages/webhooks.ts'
import { useChange } from '#cloud/web/operations.ts'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { ENDPOINT_TONES, endpointState, failureWords } from './webhook-words.ts'

interface CardProps {
  merchantId: string
  endpoint: EndpointAnswer
}

export function EndpointCard({ merchantId, endpoint }: CardProps) {
  const t = usePageWords(webhookWords)
  const { webhookId, kind, url, description } = endpoint
  return (
    <li className={`card endpoint-card ${endpointState(endpoint)}`}>
      <div className="endpoint-head">
        <h3>
          {kind === 'inspector' ? (
            <Link to="/webhooks/inspector">{t.inspector}</Link>
          ) : (
            <Link to="/webhooks/$id" params={{ id: webhookId }}>
              <bdi>{kind === 'listener' ? t.listener : url}</bdi>
            </Link>
          )}
        </h3>
        <EndpointMark endpoint={endpoint} />
      </div>
      {description !== null && (
        <p className="soft">
          <bdi>{description}</bdi>
        </p>
      )}
      <ListenerNote endpoint={endpoint} />
      <EndpointDay endpoint={endpoint} />
      <DisabledNote merchantId={merchantId} endpoint={endpoint} />
    </li>
  )
}

/** Whether a program is connected, and until when what happens waits for one. */
export function ListenerNote({ endpoint: { listener } }: { endpoint: EndpointAnswer }) {
  const t = usePageWords(webhookWords)
  const { formats } = useSpeech()
  if (listener === null) return null
  const { expiresAt } = listener
  return <p className="soft">{expiresAt === null ? t.listening : t.notListening(formats.time(expiresAt))}</p>
}

export function EndpointMark({ endpoint }: { endpoint: EndpointAnswer }) {
  const t = usePageWords(webhookWords)
  const state = endpointState(endpoint)
  return <Mark tone={ENDPOINT_TONES[state]}>{t.states[state]}</Mark>
}

/** What came of the last 24 hours, and what comes next. */
export function EndpointDay({ endpoint }: { endpoint: EndpointAnswer }) {
  const t = usePageWords(webhookWords)
  const { formats } = useSpeech()
  const nowMs = useNow()
  const { day, successShare, lastFailure, nextRetryAt, disablesAt } = endpoint
  const tried = day.delivered + day.failed + day.retrying
  return (
    <>
      <dl className="endpoint-facts">
        <Fact name={t.success}>
          {successShare === null ? (
            day.pending > 0 ? null : (
              t.nothingSent
            )
          ) : (
            <>
              <strong className="number">{`${formats.number(Math.floor(successShare * 100))} %`}</strong>{' '}
              <meter min={0} max={1} low={0.9} optimum={1} value={successShare} aria-label={t.success} />{' '}
              <span className="soft">{t.successOf(formats.number(day.delivered), formats.number(tried))}</span>
            </>
          )}
          {day.isCapped && <span className="soft"> {t.capped}</span>}
          {day.pending > 0 && (
            <span className="soft">
              {successShare !== null && ' · '}
              {t.waiting(day.pending)}
            </span>
          )}
        </Fact>
        <Fact name={t.lastFailure}>
          {lastFailure === null ? (
            t.noFailure
          ) : (
            <>
              <Link to="/deliveries/$id" params={{ id: lastFailure.deliveryId }}>
                {failureWords(t, lastFailure)}
              </Link>{' '}
              <time className="soft" dateTime={lastFailure.at}>
                {formats.ago(lastFailure.at, nowMs)}
              </time>
            </>
          )}
        </Fact>
        <Fact name={t.nextRetry}>
          {nextRetryAt === null ? t.noRetry : <time dateTime={nextRetryAt}>{formats.dateTime(nextRetryAt)}</time>}
        </Fact>
      </dl>
      {disablesAt !== null && <p className="soft">{t.disablesAt(formats.dateTime(disablesAt))}</p>}
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Why nothing is sent, and the button that changes it. */
export function DisabledNote({ merchantId, endpoint }: CardProps) {
  const t = usePageWords(webhookWords)
  const say = useNotice()
  const mayChange = useMay('build')
  const enable = useChange('endpoints.change', () => say(t.enabled))
  if (endpoint.status === 'enabled') return null
  const { webhookId, disabledReason } = endpoint
  return (
    <div className="disabled-note">
      <p>{disabledReason === 'failing' ? t.disabledByUs : t.disabledByOwner}</p>
      {mayChange && (
        <Button loading={enable.isPending} onClick={() => enable.mutate({ merchantId, webhookId, status: 'enabled' })}>
          {t.enable}
        </Button>
      )}
      <Problem error={enable.error} />
    </div>
  )
}
