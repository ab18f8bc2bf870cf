// Adds an endpoint, and shows its secret in place of the form.
import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { webhookWords } from '#cloud/web/messages/webhooks.ts'
import { useChange } from '#cloud/web/operations.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { type EndpointDraft, EndpointFields } from './endpoint-fields.tsx'
import { eventsOf } from './event-choice.tsx'
import { SecretNote } from './secret-note.tsx'

export function NewEndpoint({ merchantId }: { merchantId: string }) {
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
