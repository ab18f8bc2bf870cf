// The form of an endpoint: address, description, event types.
import type { EndpointAnswer } from '#cloud/control/webhook-list.ts'
import { webhookWords } from '#cloud/web/messages/webhooks.ts'
import { usePlace } from '#cloud/web/place.tsx'
import { usePageWords } from '#cloud/web/speech.tsx'
import { TextField } from '#shared/ui/parts/fields.tsx'
import { EventChoice } from './event-choice.tsx'

/** As it is typed. */
export interface EndpointDraft {
  url: string
  description: string
  events: readonly string[]
}

interface EndpointFieldsProps {
  /** An inspector has no address that one could change. */
  kind: EndpointAnswer['kind']
  draft: EndpointDraft
  set: (draft: EndpointDraft) => void
}

export function EndpointFields({ kind, draft, set }: EndpointFieldsProps) {
  const { create: t } = usePageWords(webhookWords)
  const { environment } = usePlace()
  return (
    <>
      {kind === 'url' && (
        <TextField
          name="url"
          type="url"
          label={t.url}
          description={environment === 'sandbox' ? `${t.urlHint} ${t.urlHintSandbox}` : t.urlHint}
          placeholder="https://"
          required
          maxLength={2_048}
          value={draft.url}
          set={(url) => set({ ...draft, url })}
        />
      )}
      <TextField
        name="description"
        label={t.description}
        maxLength={500}
        value={draft.description}
        set={(description) => set({ ...draft, description })}
      />
      <EventChoice value={draft.events} set={(events) => set({ ...draft, events })} />
    </>
  )
}
