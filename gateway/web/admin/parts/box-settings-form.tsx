// Name, time zone and language of the box.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { LanguageField, TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

/** @param saved called when the box has it */
export function BoxSettingsForm({ saved }: { saved?: () => void }) {
  const settings = useRead('settings.get', {})
  if (!settings.data) return <Problem error={settings.error} />
  return <Fields before={settings.data} saved={saved} />
}

function Fields({
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
  return (
    <Form label={t.common.save} act={() => put.mutate({ name, timeZone, language })} change={put}>
      <TextField
        name="name"
        label={t.settings.name}
        description={t.settings.nameHint}
        required
        maxLength={60}
        value={name}
        set={setName}
      />
      <TextField
        name="timeZone"
        label={t.settings.timeZone}
        description={t.settings.timeZoneHint}
        list="time-zones"
        required
        value={timeZone}
        set={setTimeZone}
      />
      <datalist id="time-zones">
        {timeZones().map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <LanguageField label={t.settings.boxLanguage} value={language} set={setLanguage} />
    </Form>
  )
}

/** Old browsers know none by name: then one types it. */
function timeZones(): readonly string[] {
  return 'supportedValuesOf' in Intl ? Intl.supportedValuesOf('timeZone') : []
}
