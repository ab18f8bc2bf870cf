// The restaurant's name and time zone: two questions, one answer each.
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { BoxSettingsAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { ZoneField } from '#gateway/web/admin/parts/zone-field.tsx'
import { browserZone, zoneBefore, zoneToKeep } from '#gateway/web/admin/parts/zones.ts'
import { TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

interface StepProps {
  /** The box has it. */
  saved: () => void
}

export function NameStep({ saved }: StepProps) {
  const { t, language } = useSpeech()
  return (
    <WithSettings>
      {({ name }) => (
        <Answer
          before={name}
          // The box uses the language of the person who sets it up, until it is changed.
          put={(value) => ({ name: value, language })}
          saved={saved}
          name="name"
          label={t.settings.name}
          maxLength={60}
        />
      )}
    </WithSettings>
  )
}

export function TimeZoneStep({ saved }: StepProps) {
  return <WithSettings>{(settings) => <ZoneAnswer settings={settings} saved={saved} />}</WithSettings>
}

function ZoneAnswer({ settings, saved }: StepProps & { settings: Settings }) {
  const queries = useQueryClient()
  const { t } = useSpeech()
  const [zone, setZone] = useState(() => zoneBefore(settings, browserZone()))
  const change = useChange('settings.put', () => {
    void queries.invalidateQueries({ queryKey: ['session'] })
    saved()
  })
  return (
    <Form label={t.common.save} act={() => change.mutate({ timeZone: zoneToKeep(settings, zone) })} change={change}>
      <ZoneField settings={settings} value={zone} set={setZone} />
    </Form>
  )
}

type Settings = Pick<BoxSettingsAnswer, 'name' | 'timeZone' | 'relayTimeZone'>

function WithSettings({ children }: { children: (settings: Settings) => ReactNode }) {
  const settings = useRead('settings.get', {})
  return settings.data ? children(settings.data) : <Problem error={settings.error} />
}

interface AnswerProps extends StepProps {
  before: string
  put: (value: string) => { name?: string; language?: string }
  /** As the box calls the field. */
  name: string
  label: string
  maxLength?: number
}

function Answer({ before, put, saved, ...field }: AnswerProps) {
  const { t } = useSpeech()
  const queries = useQueryClient()
  const [value, setValue] = useState(before)
  const change = useChange('settings.put', () => {
    void queries.invalidateQueries({ queryKey: ['session'] })
    saved()
  })
  return (
    <Form label={t.common.save} act={() => change.mutate(put(value))} change={change}>
      <TextField required size="md" {...field} value={value} set={setValue} />
    </Form>
  )
}
