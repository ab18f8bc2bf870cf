// Name, time zone and language of the box.
import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { LANGUAGES } from '#shared/ui/languages.ts'
import { useNotice } from './notices.tsx'
import { Problem } from './problem.tsx'

/** @param saved called when the box has it */
export function BoxSettingsForm({ saved }: { saved?: () => void }) {
  const settings = useRead('settings.get', {})
  if (!settings.data) return <Problem error={settings.error} />
  return <Form before={settings.data} saved={saved} />
}

function Form({
  before,
  saved,
}: {
  before: { name: string; timeZone: string; language: string }
  saved: (() => void) | undefined
}) {
  const { t, language: spoken } = useSpeech()
  const say = useNotice()
  const queries = useQueryClient()
  const [name, setName] = useState(before.name)
  const [timeZone, setTimeZone] = useState(before.timeZone || Intl.DateTimeFormat().resolvedOptions().timeZone || '')
  const [language, setLanguage] = useState(before.language || spoken)
  const put = useChange('settings.put', () => {
    say(t.common.saved)
    void queries.invalidateQueries({ queryKey: ['session'] })
    saved?.()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    put.mutate({ name, timeZone, language })
  }
  return (
    <form className="stack narrow" onSubmit={submit}>
      <TextInput
        label={t.settings.name}
        description={t.settings.nameHint}
        required
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={t.settings.timeZone}
        description={t.settings.timeZoneHint}
        list="time-zones"
        required
        value={timeZone}
        onChange={(event) => setTimeZone(event.currentTarget.value)}
      />
      <datalist id="time-zones">
        {timeZones().map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <NativeSelect
        label={t.settings.boxLanguage}
        value={language}
        onChange={(event) => setLanguage(event.currentTarget.value)}
        data={LANGUAGES.map(({ id, name: own }) => ({ value: id, label: own }))}
      />
      <Problem error={put.error} />
      <Group>
        <Button type="submit" loading={put.isPending}>
          {t.common.save}
        </Button>
      </Group>
    </form>
  )
}

/** Old browsers know none by name: then one types it. */
function timeZones(): readonly string[] {
  return 'supportedValuesOf' in Intl ? Intl.supportedValuesOf('timeZone') : []
}
