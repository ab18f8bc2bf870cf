// One event: its body, its endpoints, and whether other events of the same order or item are missing.
import { Alert, Button, NativeSelect } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { EventAnswer } from '#cloud/control/event-list.ts'
import type { EndpointAnswer } from '#cloud/control/webhook-list.ts'
import { webhookWords } from '#cloud/web/messages/webhooks.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { DELIVERY_TONES, endpointName, lastAnswerWords } from '#cloud/web/parts/webhooks/webhook-words.ts'
import { useMay, usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import './webhooks.css'

const EVERY_MS = 5_000

export function EventPage() {
  const t = usePageWords(webhookWords)
  const { id = '' } = useParams({ strict: false })
  const { merchantId } = usePlace()
  // What is no id of an event is refused by the relay in words.
  const eventId = id as EventAnswer['eventId']
  const event = useRead(
    'events.get',
    { merchantId: merchantId ?? '', eventId },
    { everyMs: EVERY_MS, enabled: merchantId !== null },
  )
  return (
    <Page title={event.data ? `${t.event}: ${event.data.type}` : t.event}>
      <Answer of={event}>{(known) => merchantId !== null && <OneEvent merchantId={merchantId} event={known} />}</Answer>
    </Page>
  )
}

interface EventProps {
  merchantId: string
  event: EventAnswer
}

function OneEvent({ merchantId, event }: EventProps) {
  const t = usePageWords(webhookWords)
  const { formats } = useSpeech()
  const { eventId, at, sequence, subjectId, subjectName, isTest, missing, isMasked } = event
  return (
    <>
      {missing.length > 0 && (
        <Alert color="yellow" title={t.eventsPage.gapTitle}>
          {t.eventsPage.gapHint(formats.list(missing.map(String)))}
        </Alert>
      )}
      <section className="card">
        {isTest && <Mark tone="idle">{t.eventsPage.test}</Mark>}
        <dl className="endpoint-facts">
          <div>
            <dt>{t.columns.subject}</dt>
            <dd>
              <Link to="/events" search={(before) => ({ ...before, subject: subjectId })}>
                <bdi>{subjectName || subjectId}</bdi>
              </Link>{' '}
              <code className="soft id">{subjectId}</code>
            </dd>
          </div>
          <div>
            <dt>{t.columns.sequence}</dt>
            <dd>{formats.number(sequence)}</dd>
          </div>
          <div>
            <dt>{t.columns.time}</dt>
            <dd>
              <time dateTime={at}>{`${formats.date(at)} ${formats.exactTime(at)}`}</time>
            </dd>
          </div>
          <div>
            <dt>{t.event}</dt>
            <dd>
              <code className="id">{eventId}</code>
            </dd>
          </div>
        </dl>
      </section>
      <Sent merchantId={merchantId} event={event} />
      <Part title={t.attempts.body}>
        {isMasked && <p>{t.attempts.masked}</p>}
        <CodeBlock hasHeading label={t.attempts.body} text={JSON.stringify(event.event, null, 2)} copy={t.copyJson} />
      </Part>
    </>
  )
}

/** Where it went, and another place for it. */
function Sent({ merchantId, event: { eventId, deliveries } }: EventProps) {
  const t = usePageWords(webhookWords)
  const mayChange = useMay('build')
  const endpoints = useRead('endpoints.list', { merchantId })
  const nameOf = (webhookId: string) => {
    const found = endpoints.data?.find((one) => one.webhookId === webhookId)
    return found === undefined ? webhookId : endpointName(found, t)
  }
  return (
    <Part title={t.deliveries}>
      {deliveries.length === 0 && <p className="soft">{t.eventsPage.neverSent}</p>}
      <ul className="sent-list">
        {deliveries.map((delivery) => (
          <li key={delivery.deliveryId} className="card">
            <Link to="/deliveries/$id" params={{ id: delivery.deliveryId }}>
              <bdi>{nameOf(delivery.webhookId)}</bdi>
            </Link>
            <Mark tone={DELIVERY_TONES[delivery.state]}>{t.deliveryStates[delivery.state]}</Mark>
            <span className="soft">{lastAnswerWords(t, delivery)}</span>
          </li>
        ))}
      </ul>
      {mayChange && endpoints.data && <SendTo {...{ merchantId, eventId, endpoints: endpoints.data }} />}
    </Part>
  )
}

interface SendToProps {
  merchantId: string
  eventId: EventAnswer['eventId']
  endpoints: readonly EndpointAnswer[]
}

function SendTo({ merchantId, eventId, endpoints }: SendToProps) {
  const t = usePageWords(webhookWords)
  const say = useNotice()
  const [chosen, choose] = useState('')
  const send = useChange('events.resend', () => say(t.eventsPage.sent))
  const to = endpoints.find(({ webhookId }) => webhookId === chosen) ?? endpoints[0]
  if (to === undefined) return <p className="soft">{t.eventsPage.noEndpoint}</p>
  return (
    <div className="filters">
      <NativeSelect
        label={t.eventsPage.sendTo}
        value={to.webhookId}
        data={endpoints.map((one) => ({ value: one.webhookId, label: endpointName(one, t) }))}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <Button
        variant="default"
        loading={send.isPending}
        onClick={() => send.mutate({ merchantId, eventId, webhookId: to.webhookId })}
      >
        {t.eventsPage.send}
      </Button>
      <Problem error={send.error} />
    </div>
  )
}
