// Sends an event of any type to one endpoint, with editable data. Errors are shown below, and the text stays.
import { Alert, Button, NativeSelect } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { EndpointAnswer } from '#cloud/control/webhook-list.ts'
import { webhookWords } from '#cloud/web/messages/webhooks.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { JsonField } from '#cloud/web/parts/json-field.tsx'
import { readObject } from '#cloud/web/parts/json-object.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import type { ApiError } from '#shared/ui/api.ts'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { problemWords } from '#shared/ui/problem-words.ts'
import type { WebhookEventType } from '#shared/wire/webhook-event-names.ts'

type Samples = readonly { type: WebhookEventType; data: Record<string, unknown> }[]

interface FireProps {
  merchantId: string
  webhookId: EndpointAnswer['webhookId']
  isLive: boolean
}

export function FireEvent(props: FireProps) {
  const t = usePageWords(webhookWords)
  const samples = useRead('endpoint.samples', { merchantId: props.merchantId })
  return (
    <Part title={t.fire.title}>
      <p className="soft">{t.fire.hint}</p>
      {props.isLive && <p>{t.fire.live}</p>}
      <Answer of={samples}>{(all) => <FireForm {...props} samples={all} />}</Answer>
    </Part>
  )
}

const shown = (data: unknown): string => JSON.stringify(data, null, 2)

function FireForm({ merchantId, webhookId, samples }: FireProps & { samples: Samples }) {
  const t = usePageWords(webhookWords)
  const say = useNotice()
  // As they were when the form was opened: ids of a later answer would take the place of what one edits.
  const [first] = useState(samples)
  const [type, setType] = useState<WebhookEventType>('order.accepted')
  const sampleOf = (of: WebhookEventType) => shown(first.find((one) => one.type === of)?.data ?? {})
  const [texts, setTexts] = useState<Partial<Record<WebhookEventType, string>>>({})
  const [notJson, setNotJson] = useState<string | null>(null)
  const [fired, setFired] = useState<string | null>(null)
  const text = texts[type] ?? sampleOf(type)
  const fire = useChange('endpoint.testData', ({ deliveryId }) => {
    say(t.fire.done)
    setFired(deliveryId)
  })
  const edit = (next: string | undefined) => {
    setTexts({ ...texts, [type]: next })
    setNotJson(null)
    setFired(null)
    fire.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = readObject(text)
    if ('why' in read) return setNotJson(t.fire.notJson(read.why))
    fire.mutate({ merchantId, webhookId, type, data: read.object })
  }
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <NativeSelect
        name="type"
        label={t.fire.type}
        value={type}
        data={first.map((one) => one.type)}
        onChange={({ currentTarget }) => {
          setType(first.find((one) => one.type === currentTarget.value)?.type ?? type)
          setNotJson(null)
          setFired(null)
          fire.reset()
        }}
      />
      <JsonField
        name="data"
        label={t.fire.data}
        minRows={8}
        value={text}
        error={notJson}
        aria-invalid={notJson !== null || fire.isError}
        set={edit}
      />
      <DataProblems error={fire.error} />
      <div className="act-bar">
        <Button type="submit" loading={fire.isPending}>
          {t.fire.act}
        </Button>
        {texts[type] !== undefined && (
          <Button variant="default" onClick={() => edit(undefined)}>
            {t.fire.sample}
          </Button>
        )}
        {fired !== null && (
          <Link to="/deliveries/$id" params={{ id: fired }}>
            {t.fire.see}
          </Link>
        )}
      </div>
    </form>
  )
}

/** Each field by its whole path: an order has many of one name. */
function DataProblems({ error }: { error: ApiError | null }) {
  const t = usePageWords(webhookWords)
  const speech = useSpeech()
  if (error === null) return null
  if (error.code !== 'invalid') return <Problem error={error} />
  return (
    <Alert color="red" role="alert" title={t.fire.wrong}>
      <ul className="plain">
        {problemWords(error, speech).fields.map(({ path, words }) => (
          <li key={path + words}>
            <code>{path.replace(/^data\./, '')}</code> {words}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
