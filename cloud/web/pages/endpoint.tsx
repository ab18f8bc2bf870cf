// One endpoint: its state, its event types, its secret, missed events, a test event, its deliveries.
import { Button, NativeSelect } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { EndpointAnswer } from '#cloud/control/webhook-list.ts'
import { useNow } from '#cloud/web/live.tsx'
import { webhookWords } from '#cloud/web/messages/webhooks.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { DeliveryList } from '#cloud/web/parts/webhooks/delivery-list.tsx'
import { DisabledNote, EndpointDay, EndpointMark, ListenerNote } from '#cloud/web/parts/webhooks/endpoint-card.tsx'
import { type EndpointDraft, EndpointFields } from '#cloud/web/parts/webhooks/endpoint-fields.tsx'
import { eventsOf } from '#cloud/web/parts/webhooks/event-choice.tsx'
import { FireEvent } from '#cloud/web/parts/webhooks/fire-event.tsx'
import { SecretNote } from '#cloud/web/parts/webhooks/secret-note.tsx'
import { useMay, usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { fromIso, systemClock, toIso } from '#shared/clock.ts'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import './webhooks.css'

const EVERY_MS = 10_000
const HOUR_MS = 3_600_000
const SPANS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS, all: 14 * 24 * HOUR_MS - 60_000 } as const
type Span = keyof typeof SPANS

interface EndpointProps {
  merchantId: string
  endpoint: EndpointAnswer
}

export function EndpointPage() {
  const t = usePageWords(webhookWords)
  const { id = '' } = useParams({ strict: false })
  const { merchantId } = usePlace()
  // What is no id of an endpoint is refused by the relay in words.
  const webhookId = id as EndpointAnswer['webhookId']
  const endpoint = useRead(
    'endpoints.get',
    { merchantId: merchantId ?? '', webhookId },
    { everyMs: EVERY_MS, enabled: merchantId !== null },
  )
  const { kind, url } = endpoint.data ?? { kind: 'url' as const, url: t.endpoint }
  return (
    <Page title={kind === 'url' ? url : t[kind]}>
      <Answer of={endpoint}>
        {(known) => merchantId !== null && <Endpoint merchantId={merchantId} endpoint={known} />}
      </Answer>
    </Page>
  )
}

function Endpoint({ merchantId, endpoint }: EndpointProps) {
  const t = usePageWords(webhookWords)
  const mayChange = useMay('build')
  const { environment } = usePlace()
  return (
    <>
      <section className="card">
        <EndpointMark endpoint={endpoint} />
        <ListenerNote endpoint={endpoint} />
        <EndpointDay endpoint={endpoint} />
        <EndpointFacts endpoint={endpoint} />
        <DisabledNote merchantId={merchantId} endpoint={endpoint} />
        {mayChange && <EndpointActs merchantId={merchantId} endpoint={endpoint} />}
      </section>
      <Part title={t.deliveries}>
        <DeliveryList merchantId={merchantId} endpoints={[endpoint]} only={endpoint} />
      </Part>
      {mayChange && (
        <div className="endpoint-forms">
          <FireEvent {...{ merchantId, webhookId: endpoint.webhookId, isLive: environment === 'live' }} />
          <div className="stack">
            <EditEndpoint merchantId={merchantId} endpoint={endpoint} />
            <Recover merchantId={merchantId} endpoint={endpoint} />
          </div>
        </div>
      )}
    </>
  )
}

function EndpointFacts({ endpoint }: { endpoint: EndpointAnswer }) {
  const t = usePageWords(webhookWords)
  const { formats } = useSpeech()
  const nowMs = useNow()
  const { createdAt, lastDeliveryAt, events, description, oldSecretEndsAt } = endpoint
  return (
    <>
      <dl className="endpoint-facts">
        <div>
          <dt>{t.events}</dt>
          <dd>{events.map((type) => (type === '*' ? t.allEvents : type)).join(', ')}</dd>
        </div>
        {description !== null && (
          <div>
            <dt>{t.description}</dt>
            <dd>
              <bdi>{description}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>{t.createdAt}</dt>
          <dd>{formats.dateTime(createdAt)}</dd>
        </div>
        <div>
          <dt>{t.lastTaken}</dt>
          <dd>{lastDeliveryAt === null ? t.noFailure : formats.ago(lastDeliveryAt, nowMs)}</dd>
        </div>
      </dl>
      {oldSecretEndsAt !== null && (
        <p className="soft" role="timer">
          {t.secret.oldEnds(formats.span(Math.max(0, (fromIso(oldSecretEndsAt) ?? nowMs) - nowMs)))}
        </p>
      )}
    </>
  )
}

function EndpointActs({ merchantId, endpoint: { webhookId, status } }: EndpointProps) {
  const t = usePageWords(webhookWords)
  const navigate = useNavigate()
  const [secret, setSecret] = useState<string | null>(null)
  const rotate = useChange('endpoints.rotate', (made) => setSecret(made.secret))
  const disable = useChange('endpoints.change')
  const remove = useChange('endpoints.delete', () => void navigate({ to: '/webhooks' }))
  return (
    <>
      {secret !== null && <SecretNote secret={secret} done={() => setSecret(null)} />}
      <div className="act-bar">
        <AskButton
          label={t.secret.rotate}
          question={t.secret.rotateAsk}
          loading={rotate.isPending}
          act={() => rotate.mutate({ merchantId, webhookId })}
        />
        {status === 'enabled' && (
          <AskButton
            label={t.disable}
            question={t.disableAsk}
            loading={disable.isPending}
            act={() => disable.mutate({ merchantId, webhookId, status: 'disabled' })}
          />
        )}
        <AskButton
          label={t.delete}
          question={t.deleteAsk}
          color="red"
          loading={remove.isPending}
          act={() => remove.mutate({ merchantId, webhookId })}
        />
      </div>
      <Problem error={rotate.error ?? disable.error ?? remove.error} />
    </>
  )
}

function EditEndpoint({ merchantId, endpoint }: EndpointProps) {
  const t = usePageWords(webhookWords)
  const { t: frame } = useSpeech()
  const say = useNotice()
  const { url, description, events } = endpoint
  const [draft, setDraft] = useState<EndpointDraft>({ url, description: description ?? '', events })
  const save = useChange('endpoints.change', () => say(frame.common.saved))
  const { webhookId, kind } = endpoint
  const send = () =>
    save.mutate({
      ...{ merchantId, webhookId, events: eventsOf(draft.events) },
      description: draft.description.trim() || null,
      ...(kind === 'url' && draft.url.trim() !== url && { url: draft.url.trim() }),
    })
  return (
    <Part title={t.edit.title}>
      <Form label={t.edit.save} change={save} act={send}>
        <EndpointFields kind={kind} draft={draft} set={setDraft} />
      </Form>
    </Part>
  )
}

function Recover({ merchantId, endpoint: { webhookId, status } }: EndpointProps) {
  const t = usePageWords(webhookWords)
  const say = useNotice()
  const [span, setSpan] = useState<Span>('day')
  const recover = useChange('endpoint.recover', ({ queued }) =>
    say(queued === 0 ? t.recover.none : t.recover.done(queued)),
  )
  if (status === 'disabled') return null
  const names = Object.keys(SPANS) as Span[]
  return (
    <Part title={t.recover.title}>
      <p className="soft">{t.recover.hint}</p>
      <div className="filters">
        <NativeSelect
          label={t.recover.since}
          value={span}
          data={names.map((name) => ({ value: name, label: t.recover.spans[name] }))}
          onChange={({ currentTarget }) => setSpan(names.find((name) => name === currentTarget.value) ?? span)}
        />
        <Button
          variant="default"
          loading={recover.isPending}
          onClick={() => recover.mutate({ merchantId, webhookId, since: toIso(systemClock.now() - SPANS[span]) })}
        >
          {t.recover.act}
        </Button>
      </div>
      <Problem error={recover.error} />
    </Part>
  )
}
