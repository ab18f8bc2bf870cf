// One request: what was sent and answered, what to do about its error, the same as curl, and once more in the sandbox.
import { Button, TextInput } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { RequestAnswer } from '#cloud/control/request-list.ts'
import { requestWords } from '#cloud/web/messages/requests.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { JsonField } from '#cloud/web/parts/json-field.tsx'
import { readObject } from '#cloud/web/parts/json-object.ts'
import { ErrorHelp } from '#cloud/web/parts/requests/error-help.tsx'
import { againOf, requestCurl } from '#cloud/web/parts/requests/request-text.ts'
import { pretty } from '#cloud/web/parts/webhooks/webhook-words.ts'
import { usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { systemClock } from '#shared/clock.ts'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import './webhooks.css'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export function RequestPage() {
  const t = usePageWords(requestWords)
  const { id = '' } = useParams({ strict: false })
  const { environment } = usePlace()
  const request = useRead('requests.get', { environment, requestId: id })
  return (
    <Page title={t.request}>
      <Answer of={request}>{(known) => <OneRequest request={known} />}</Answer>
    </Page>
  )
}

function OneRequest({ request }: { request: RequestAnswer }) {
  const t = usePageWords(requestWords)
  const { formats } = useSpeech()
  const { method, path, status, code, fields, body, bodyBytes, isCut, isMasked, help } = request
  return (
    <>
      <section className="card">
        <div className="endpoint-head">
          <h2>
            <code>{`${method} ${path}`}</code>
          </h2>
          <Mark tone={status < 400 ? 'ok' : status < 500 ? 'warn' : 'bad'}>{`${status} ${code ?? ''}`}</Mark>
        </div>
        <RequestFacts request={request} />
        {fields.length > 0 && (
          <p>
            {`${t.fields}: `}
            <code>{fields.join(', ')}</code>
          </p>
        )}
      </section>
      {help !== null && (
        <Part title={t.help}>
          <ErrorHelp help={help} />
        </Part>
      )}
      <div className="delivery-page">
        <div className="stack">
          <Part title={t.body}>
            {isMasked && <p className="soft">{t.masked}</p>}
            {isCut && <p className="soft">{t.cut(formats.bytes(bodyBytes))}</p>}
            {body === null ? (
              <p className="soft">{t.noBody}</p>
            ) : (
              <CodeBlock hasHeading label={t.body} text={pretty(body)} />
            )}
          </Part>
          <Part title={t.curl}>
            <CodeBlock hasHeading label={t.curl} text={requestCurl(request, location.origin)} copy={t.copyCurl} />
          </Part>
        </div>
        <Again request={request} />
      </div>
    </>
  )
}

function RequestFacts({ request: { at, ms, merchantId, key, requestId } }: { request: RequestAnswer }) {
  const t = usePageWords(requestWords)
  const { formats } = useSpeech()
  const facts = [
    [t.columns.time, `${formats.date(at)} ${formats.exactTime(at)}`],
    [t.columns.ms, formats.duration(Math.round(ms))],
    [t.columns.merchant, merchantId ?? '–'],
    [t.columns.key, key.endsWith === null ? t.keyGone : t.keyEnds(key.endsWith)],
    [t.columns.id, requestId],
  ] as const
  return (
    <dl className="endpoint-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The same call, or what one makes of it, in the sandbox. */
function Again({ request }: { request: RequestAnswer }) {
  const t = usePageWords(requestWords)
  const { environment, merchantId } = usePlace()
  // A number of its own: the id of the first order is taken.
  const [offered] = useState(() =>
    againOf(request, { merchantId: environment === 'sandbox' ? merchantId : 'M-TEST-001', mark: againMark() }),
  )
  const [path, setPath] = useState(offered.path)
  const [body, setBody] = useState(offered.body)
  const [notJson, setNotJson] = useState<string | null>(null)
  const again = useChange('requests.again')
  const method = METHODS.find((one) => one === request.method)
  if (method === undefined) return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = body.trim() === '' ? null : readObject(body)
    if (read !== null && 'why' in read) return setNotJson(t.again.notJson(read.why))
    again.mutate({ environment: 'sandbox', method, path, ...(read !== null && { body: read.object }) })
  }
  return (
    <Part title={t.again.title}>
      <p className="soft">{request.environment === 'live' ? t.again.liveHint : t.again.hint}</p>
      <form className="stack" noValidate onSubmit={submit}>
        <TextInput
          name="path"
          label={t.again.path}
          value={path}
          maxLength={1_024}
          onChange={({ currentTarget }) => setPath(currentTarget.value)}
        />
        {method !== 'GET' && (
          <JsonField
            name="body"
            label={t.again.body}
            minRows={6}
            value={body}
            error={notJson}
            set={(next) => {
              setBody(next)
              setNotJson(null)
            }}
          />
        )}
        <Problem error={again.error} />
        <div>
          <Button type="submit" loading={again.isPending}>
            {t.again.act}
          </Button>
        </div>
      </form>
      {again.data && <AgainAnswer answer={again.data} />}
    </Part>
  )
}

function AgainAnswer({ answer: { status, requestId, ms, body } }: { answer: NonNullable<AgainData> }) {
  const t = usePageWords(requestWords)
  const { formats } = useSpeech()
  return (
    <section className="card" role="status" aria-label={t.again.answer}>
      <p>
        <Mark tone={status < 400 ? 'ok' : 'bad'}>{status}</Mark>{' '}
        <span className="soft">{t.again.took(formats.duration(ms))}</span>{' '}
        <Link
          to="/requests/$id"
          params={{ id: requestId }}
          search={(before) => ({ ...before, environment: 'sandbox' })}
        >
          {t.again.see}
        </Link>
      </p>
      {body !== '' && <CodeBlock label={t.again.answer} text={pretty(body)} />}
    </section>
  )
}

type AgainData = ReturnType<typeof useChange<'requests.again'>>['data']

const againMark = (): string => `again-${systemClock.now().toString(36)}`
