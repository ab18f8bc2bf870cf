// What counts for all restaurants of the account: whether its developers see customers.
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
      {({ developersSeeCustomers }) => (
        <div className="settings">
          <Developers value={String(developersSeeCustomers)} />
        </div>
      )}
    </Answer>
  )
}

function Developers({ value }: { value: string }) {
  const t = usePageWords(settingsWords)
  const { t: frame } = useSpeech()
  const say = useNotice()
  const save = useChange('account.save', () => say(frame.common.saved))
  return (
    <SettingRow
      field="developersSeeCustomers"
      right="govern"
      value={value}
      change={save}
      save={(draft, _seen, saved) =>
        save.mutate({ developersSeeCustomers: draft === 'true' }, { onSuccess: () => saved() })
      }
      control={(draft, set) => (
        <ChoiceField
          {...{ name: 'developersSeeCustomers', label: t.developers, description: t.developersHint }}
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
