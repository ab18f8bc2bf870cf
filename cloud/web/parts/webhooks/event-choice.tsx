// Which events an endpoint hears: all of the specification, or some by name.
import { Checkbox } from '@mantine/core'
import { webhookWords } from '#cloud/web/messages/webhooks.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import { WEBHOOK_EVENT_TYPES } from '#shared/wire/webhook-event-names.ts'

/** @param value of `events`, as the relay has it */
export function EventChoice({ value, set }: { value: readonly string[]; set: (value: string[]) => void }) {
  const t = usePageWords(webhookWords)
  const isAll = value.includes('*')
  return (
    <fieldset>
      <legend>{t.create.events}</legend>
      <Checkbox
        label={t.create.all}
        checked={isAll}
        onChange={({ currentTarget }) => set(currentTarget.checked ? ['*'] : [...WEBHOOK_EVENT_TYPES])}
      />
      {!isAll && (
        <div className="event-choice">
          {WEBHOOK_EVENT_TYPES.map((type) => (
            <Checkbox
              key={type}
              label={type}
              checked={value.includes(type)}
              onChange={({ currentTarget }) =>
                set(WEBHOOK_EVENT_TYPES.filter((one) => (one === type ? currentTarget.checked : value.includes(one))))
              }
            />
          ))}
        </div>
      )}
    </fieldset>
  )
}

/** As the relay takes it: only types that it has. */
export function eventsOf(value: readonly string[]): ('*' | (typeof WEBHOOK_EVENT_TYPES)[number])[] {
  return value.includes('*') ? ['*'] : WEBHOOK_EVENT_TYPES.filter((type) => value.includes(type))
}
