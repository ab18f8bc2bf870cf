// The inspector: what a server would have received, with the check of each signature step by step, and what is answered from now on.
import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { EndpointAnswer, InspectorSetting, ReceivedAnswer } from '#cloud/control/webhook-list.ts'
import { useNow } from '#cloud/web/live.tsx'
import { webhookWords } from '#cloud/web/messages/webhooks.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { HeaderTable } from '#cloud/web/parts/webhooks/attempt-list.tsx'
import { DisabledNote } from '#cloud/web/parts/webhooks/endpoint-card.tsx'
import { FireEvent } from '#cloud/web/parts/webhooks/fire-event.tsx'
import { SecretNote } from '#cloud/web/parts/webhooks/secret-note.tsx'
import { pretty } from '#cloud/web/parts/webhooks/webhook-words.ts'
import { useMay, usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import './webhooks.css'

/** Requests are shown while they arrive. */
const EVERY_MS = 2_000
const STATUSES = [200, 204, 400, 401, 404, 410, 429, 500, 503] as const

export function InspectorPage() {
  const t = usePageWords(webhookWords)
  const { merchantId, environment } = usePlace()
  if (merchantId === null || environment === 'live')
    return (
      <Page title={t.inspector}>
        <Empty words={environment === 'live' ? t.inspectorSandbox : t.chooseRestaurant} />
      </Page>
    )
  return (
    <Page title={t.inspector}>
      <Inspector merchantId={merchantId} />
    </Page>
  )
}

function Inspector({ merchantId }: { merchantId: string }) {
  const t = usePageWords(webhookWords)
  const mayChange = useMay('build')
  const inspector = useRead('inspector.list', { merchantId }, { everyMs: EVERY_MS, keep: true })
  const endpoints = useRead('endpoints.list', { merchantId })
  const [secret, setSecret] = useState<string | null>(null)
  const open = useChange('inspector.open', (made) => setSecret(made.secret))
  const own = endpoints.data?.find(({ kind }) => kind === 'inspector')
  return (
    <Answer of={inspector}>
      {({ webhookId, answer, data }) =>
        webhookId === null || answer === null ? (
          <Empty words={t.inspectorHint}>
            {mayChange && (
              <Button loading={open.isPending} onClick={() => open.mutate({ merchantId })}>
                {t.openInspector}
              </Button>
            )}
            <Problem error={open.error} />
          </Empty>
        ) : (
          <>
            {secret !== null && <SecretNote secret={secret} done={() => setSecret(null)} />}
            {own && <DisabledNote merchantId={merchantId} endpoint={own} />}
            {mayChange && <AnswerForm key={JSON.stringify(answer)} merchantId={merchantId} answer={answer} />}
            <Received all={data} />
            {mayChange && <FireEvent merchantId={merchantId} webhookId={webhookId} isLive={false} />}
            {mayChange && <OwnSecret merchantId={merchantId} webhookId={webhookId} show={setSecret} />}
          </>
        )
      }
    </Answer>
  )
}

/** What it answers: the status and how long it takes. */
function AnswerForm({ merchantId, answer }: { merchantId: string; answer: InspectorSetting }) {
  const t = usePageWords(webhookWords).inspectorPage
  const say = useNotice()
  const [status, setStatus] = useState(answer.status)
  const [delayMs, setDelay] = useState(answer.delayMs)
  const save = useChange('inspector.answer', () => say(t.saved))
  const delays = Object.entries(t.delays)
  const statuses = STATUSES.some((one) => one === status) ? STATUSES : [...STATUSES, status]
  return (
    <section className="card">
      <h2>{t.answers}</h2>
      <div className="filters">
        <NativeSelect
          name="status"
          label={t.status}
          value={String(status)}
          data={statuses.map(String)}
          onChange={({ currentTarget }) => setStatus(Number(currentTarget.value))}
        />
        <NativeSelect
          name="delayMs"
          label={t.delay}
          value={String(delayMs)}
          data={delays.map(([value, label]) => ({ value, label }))}
          onChange={({ currentTarget }) => setDelay(Number(currentTarget.value))}
        />
        <Button loading={save.isPending} onClick={() => save.mutate({ merchantId, status, delayMs })}>
          {t.save}
        </Button>
      </div>
      <Problem error={save.error} />
    </section>
  )
}

const keyOf = ({ deliveryId, number }: ReceivedAnswer): string => `${deliveryId} ${number}`

/** A list beside its selected entry; above it on a phone. */
function Received({ all }: { all: readonly ReceivedAnswer[] }) {
  const t = usePageWords(webhookWords)
  const { formats } = useSpeech()
  const nowMs = useNow()
  const [chosen, choose] = useState<string | null>(null)
  const shown = all.find((one) => keyOf(one) === chosen) ?? all[0]
  if (shown === undefined) return <Empty words={t.inspectorPage.nothing} />
  return (
    <Part title={t.inspectorPage.received}>
      <div className="inspector">
        <ul className="received" aria-label={t.inspectorPage.received}>
          {all.map((one) => (
            <li key={keyOf(one)}>
              <button type="button" aria-pressed={one === shown} onClick={() => choose(keyOf(one))}>
                <strong>{one.type}</strong>
                <AnsweredMark one={one} />
                <time className="soft" dateTime={one.at}>
                  {formats.ago(one.at, nowMs)}
                </time>
              </button>
            </li>
          ))}
        </ul>
        <OneReceived one={shown} />
      </div>
    </Part>
  )
}

function AnsweredMark({ one: { answered } }: { one: ReceivedAnswer }) {
  const { inspectorPage: t } = usePageWords(webhookWords)
  return (
    <Mark tone={answered.error === null ? 'ok' : 'bad'}>
      {answered.status === null ? t.timedOut : t.answered(String(answered.status))}
    </Mark>
  )
}

function OneReceived({ one }: { one: ReceivedAnswer }) {
  const t = usePageWords(webhookWords)
  const { formats } = useSpeech()
  const { type, number, headers, body, steps, nextAttemptAt } = one
  return (
    <article className="card" aria-label={type}>
      <div className="endpoint-head">
        <h3>{type}</h3>
        <span className="soft">{t.attempts.number(formats.number(number))}</span>
      </div>
      <p>
        <AnsweredMark one={one} />{' '}
        {nextAttemptAt !== null && <span>{t.inspectorPage.retry(formats.time(nextAttemptAt))}</span>}
      </p>
      <h4>{t.inspectorPage.check}</h4>
      <ol className="check-steps">
        {steps.map((step) => (
          <Step key={step.step} step={step} />
        ))}
      </ol>
      <details open>
        <summary>{t.inspectorPage.headers}</summary>
        <HeaderTable label={t.inspectorPage.headers} headers={headers} />
      </details>
      <CodeBlock label={t.inspectorPage.body} text={pretty(body)} exact={body} copy={t.copyBody} />
    </article>
  )
}

function Step({ step: { step, ok, values } }: { step: ReceivedAnswer['steps'][number] }) {
  const { inspectorPage: t } = usePageWords(webhookWords)
  const names: Readonly<Record<string, string>> = t.values
  return (
    <li>
      <Mark tone={ok ? 'ok' : 'bad'}>{ok ? t.fits : t.fitsNot}</Mark> {t.steps[step]}
      <dl className="step-values">
        {values.map(({ name, value }) => (
          <div key={name}>
            <dt>{names[name] ?? name}</dt>
            <dd>
              <code>{value}</code>
            </dd>
          </div>
        ))}
      </dl>
    </li>
  )
}

interface OwnSecretProps {
  merchantId: string
  webhookId: EndpointAnswer['webhookId']
  show: (secret: string) => void
}

function OwnSecret({ merchantId, webhookId, show }: OwnSecretProps) {
  const t = usePageWords(webhookWords)
  const rotate = useChange('endpoints.rotate', ({ secret }) => show(secret))
  return (
    <Part title={t.secret.title}>
      <p className="soft">{t.inspectorPage.secretNew}</p>
      <p>
        <AskButton
          label={t.secret.rotate}
          question={t.secret.rotateAsk}
          loading={rotate.isPending}
          act={() => rotate.mutate({ merchantId, webhookId })}
        />
      </p>
      <Problem error={rotate.error} />
    </Part>
  )
}
