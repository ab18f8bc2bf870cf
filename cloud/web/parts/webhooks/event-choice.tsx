// The event types of an endpoint: all of the specification, or some by name; others by typing their name.
import { Checkbox } from '@mantine/core'
import { webhookWords } from '#cloud/web/messages/webhooks.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import { NAMED_EVENT_TYPES, STAR_EVENT_TYPES, type WebhookEventType } from '#shared/wire/webhook-event-names.ts'

interface ChoiceProps {
  /** As `events` of the relay. */
  value: readonly string[]
  set: (value: string[]) => void
}

export function EventChoice({ value, set }: ChoiceProps) {
  const t = usePageWords(webhookWords)
  const isAll = value.includes('*')
  const named = value.filter((type) => NAMED_EVENT_TYPES.some((one) => one === type))
  return (
    <fieldset>
      <legend>{t.create.events}</legend>
      <Checkbox
        label={t.create.all}
        checked={isAll}
        onChange={({ currentTarget }) => set([...(currentTarget.checked ? ['*'] : STAR_EVENT_TYPES), ...named])}
      />
      {!isAll && <TypeBoxes types={STAR_EVENT_TYPES} value={value} set={set} />}
      <p className="soft">{t.create.named}</p>
      <TypeBoxes types={NAMED_EVENT_TYPES} value={value} set={set} />
    </fieldset>
  )
}

function TypeBoxes({ types, value, set }: ChoiceProps & { types: readonly WebhookEventType[] }) {
  return (
    <div className="event-choice">
      {types.map((type) => (
        <Checkbox
          key={type}
          label={type}
          checked={value.includes(type)}
          onChange={({ currentTarget }) =>
            set(currentTarget.checked ? [...value, type] : value.filter((one) => one !== type))
          }
        />
      ))}
    </div>
  )
}

/** As the relay takes it: only types that it has. */
export function eventsOf(value: readonly string[]): ('*' | WebhookEventType)[] {
  const isPicked = (type: string) => value.includes(type)
  const all = isPicked('*') ? (['*'] as const) : STAR_EVENT_TYPES.filter(isPicked)
  return [...all, ...NAMED_EVENT_TYPES.filter(isPicked)]
}
