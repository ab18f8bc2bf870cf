// Name, time zone and language of the box.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BoxSettingsAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { LanguageField, TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { ZoneField } from './zone-field.tsx'
import { browserZone, zoneBefore, zoneToKeep } from './zones.ts'

export function BoxSettingsForm() {
  const settings = useRead('settings.get', {})
  if (!settings.data) return <Problem error={settings.error} />
  return <Fields before={settings.data} />
}

function Fields({ before }: { before: Pick<BoxSettingsAnswer, 'name' | 'timeZone' | 'relayTimeZone' | 'language'> }) {
  const { t, language: spoken } = useSpeech()
  const say = useNotice()
  const queries = useQueryClient()
  const [name, setName] = useState(before.name)
  const [timeZone, setTimeZone] = useState(() => zoneBefore(before, browserZone()))
  const [language, setLanguage] = useState(before.language || spoken)
  const put = useChange('settings.put', () => {
    say(t.common.saved)
    void queries.invalidateQueries({ queryKey: ['session'] })
  })
  return (
    <Form
      label={t.common.save}
      act={() => put.mutate({ name, timeZone: zoneToKeep(before, timeZone), language })}
      change={put}
    >
      <TextField
        name="name"
        label={t.settings.name}
        description={t.settings.nameHint}
        required
        maxLength={60}
        value={name}
        set={setName}
      />
      <ZoneField settings={before} description={t.settings.timeZoneHint} value={timeZone} set={setTimeZone} />
      <LanguageField label={t.settings.boxLanguage} value={language} set={setLanguage} />
    </Form>
  )
}
