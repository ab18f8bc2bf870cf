// Webhooks: the endpoints of a restaurant and how each does, the inspector first, and all deliveries.
import { Button, Modal } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { EndpointAnswer } from '#cloud/control/webhook-list.ts'
import { webhookWords } from '#cloud/web/messages/webhooks.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { OfRestaurant } from '#cloud/web/parts/of-restaurant.tsx'
import { DeliveryList } from '#cloud/web/parts/webhooks/delivery-list.tsx'
import { EndpointCard } from '#cloud/web/parts/webhooks/endpoint-card.tsx'
import { useMay, usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import './webhooks.css'
import { useState } from 'react'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { type EndpointDraft, EndpointFields } from '#cloud/web/parts/webhooks/endpoint-fields.tsx'
import { eventsOf } from '#cloud/web/parts/webhooks/event-choice.tsx'
import { SecretNote } from '#cloud/web/parts/webhooks/secret-note.tsx'
import { Form } from '#shared/ui/parts/form.tsx'

/** In addition to the live feed: retries become due by time alone. */
const EVERY_MS = 10_000

export function WebhooksPage() {
  const { t: frame } = useSpeech()
  const { merchantId } = usePlace()
  const mayChange = useMay('build')
  const actions = mayChange && merchantId !== null && <NewEndpoint merchantId={merchantId} />
  return (
    <Page title={frame.nav.pages.webhooks} actions={actions}>
      <OfRestaurant>{(id) => <Webhooks merchantId={id} />}</OfRestaurant>
    </Page>
  )
}

function Webhooks({ merchantId }: { merchantId: string }) {
  const t = usePageWords(webhookWords)
  const mayChange = useMay('build')
  const endpoints = useRead('endpoints.list', { merchantId }, { everyMs: EVERY_MS })
  return (
    <Answer of={endpoints}>
      {(all) => (
        <>
          <Part title={t.endpoints}>
            <Endpoints merchantId={merchantId} endpoints={all} />
          </Part>
          {mayChange && <ListenSecret merchantId={merchantId} />}
          <Part title={t.deliveries}>
            <DeliveryList merchantId={merchantId} endpoints={all} />
          </Part>
        </>
      )}
    </Answer>
  )
}

function Endpoints({ merchantId, endpoints }: { merchantId: string; endpoints: readonly EndpointAnswer[] }) {
  const t = usePageWords(webhookWords)
  const { environment } = usePlace()
  const mayChange = useMay('build')
  const hasInspector = endpoints.some(({ kind }) => kind === 'inspector')
  // The inspector is first: it is what a developer who tries something looks at.
  const ordered = endpoints.toSorted((a, b) => Number(b.kind === 'inspector') - Number(a.kind === 'inspector'))
  return (
    <>
      {endpoints.length === 0 && environment === 'live' && <Empty words={t.noEndpoints} />}
      <ul className="endpoint-cards">
        {!hasInspector && mayChange && environment === 'sandbox' && <InspectorOffer merchantId={merchantId} />}
        {ordered.map((endpoint) => (
          <EndpointCard key={endpoint.webhookId} merchantId={merchantId} endpoint={endpoint} />
        ))}
      </ul>
    </>
  )
}

function InspectorOffer({ merchantId }: { merchantId: string }) {
  const t = usePageWords(webhookWords)
  const navigate = useNavigate()
  const open = useChange('inspector.open', () => void navigate({ to: '/webhooks/inspector' }))
  return (
    <li className="card endpoint-card offer">
      <h3>{t.inspector}</h3>
      <p>{t.inspectorHint}</p>
      <p>
        <Button variant="light" loading={open.isPending} onClick={() => open.mutate({ merchantId })}>
          {t.openInspector}
        </Button>
      </p>
      <Problem error={open.error} />
    </li>
  )
}

/** The listen secret of the account: asked for, shown, copied and hidden again. */
function ListenSecret({ merchantId }: { merchantId: string }) {
  const t = usePageWords(webhookWords)
  const { title, hint, show, hide } = t.listenSecret
  const [secret, setSecret] = useState<string | null>(null)
  const ask = useChange('endpoints.listenSecret', (shown) => setSecret(shown.secret))
  return (
    <Part title={title}>
      <p className="soft">{hint}</p>
      {secret === null ? (
        <p>
          <Button variant="default" loading={ask.isPending} onClick={() => ask.mutate({ merchantId })}>
            {show}
          </Button>
        </p>
      ) : (
        <CodeBlock label={title} text={secret} hasHeading copy={t.secret.copy}>
          <Button size="compact-sm" variant="default" onClick={() => setSecret(null)}>
            {hide}
          </Button>
        </CodeBlock>
      )}
      <Problem error={ask.error} />
    </Part>
  )
}

/** Adds an endpoint, and shows its secret in place of the form. */
function NewEndpoint({ merchantId }: { merchantId: string }) {
  const t = usePageWords(webhookWords)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t.create.open}</Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={t.create.title}>
        <NewEndpointForm merchantId={merchantId} done={() => setOpen(false)} />
      </Modal>
    </>
  )
}

function NewEndpointForm({ merchantId, done }: { merchantId: string; done: () => void }) {
  const t = usePageWords(webhookWords)
  const [draft, setDraft] = useState<EndpointDraft>({ url: '', description: '', events: ['*'] })
  const create = useChange('endpoints.create')
  if (create.data) return <SecretNote secret={create.data.secret} done={done} />
  const { url, description, events } = draft
  const more = description.trim() === '' ? {} : { description: description.trim() }
  return (
    <Form
      label={t.create.add}
      change={create}
      act={() => create.mutate({ merchantId, url: url.trim(), events: eventsOf(events), ...more })}
    >
      <EndpointFields kind="url" draft={draft} set={setDraft} />
    </Form>
  )
}
