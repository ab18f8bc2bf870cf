// What counts for all restaurants of the account: what developers, and programs of theirs, see of live orders.
import { settingsWords } from '#cloud/web/messages/settings.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { ChoiceField } from '#shared/ui/parts/fields.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { SettingRow } from './setting-row.tsx'

export function AccountSettings() {
  const account = useRead('account.get', {})
  return (
    <Answer of={account}>
      {({ developersSeeCustomers, liveListening }) => (
        <div className="settings">
          <YesOrNo field="developersSeeCustomers" words="developers" is={developersSeeCustomers} />
          <YesOrNo field="liveListening" words="listening" is={liveListening} />
        </div>
      )}
    </Answer>
  )
}

interface YesOrNoProps {
  field: 'developersSeeCustomers' | 'liveListening'
  words: 'developers' | 'listening'
  is: boolean
}

function YesOrNo({ field, words, is }: YesOrNoProps) {
  const t = usePageWords(settingsWords)
  const { t: frame } = useSpeech()
  const say = useNotice()
  const save = useChange('account.save', () => say(frame.common.saved))
  return (
    <SettingRow
      field={field}
      right="govern"
      value={String(is)}
      change={save}
      save={(draft, _seen, saved) => save.mutate({ [field]: draft === 'true' }, { onSuccess: () => saved() })}
      control={(draft, set) => (
        <ChoiceField
          {...{ name: field, label: t[words], description: t[`${words}Hint`] }}
          {...{ value: draft, set }}
          choices={[
            ['false', t.no],
            ['true', t.yes],
          ]}
        />
      )}
    />
  )
}
