// The settings of the restaurant: one question for each row.
import type { MerchantDetail } from '#cloud/control/merchant-list.ts'
import type { OperationBody } from '#cloud/control/operations.ts'
import { settingsWords } from '#cloud/web/messages/settings.ts'
import type { SettingsWords } from '#cloud/web/messages/settings-en.ts'
import { useChange } from '#cloud/web/operations.ts'
import { SearchChoice } from '#cloud/web/parts/search-choice.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { languageFacts } from '#shared/languages.ts'
import { ChoiceField, NumberField, TextField } from '#shared/ui/parts/fields.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { SettingRow } from './setting-row.tsx'
import { currencyChoices, zoneChoices } from './zone-choices.ts'

/** Languages of messages to customers. */
const SPOKEN = ['en', 'es', 'zh-Hans']

type Field =
  | 'name'
  | 'timeZone'
  | 'currency'
  | 'prepMinutes'
  | 'fireAheadDays'
  | 'autoSilence'
  | 'notifyReady'
  | 'notifyLanguage'
type Saved = Pick<OperationBody<'merchant.save'>, Field>

const FIELDS = [
  'name',
  'timeZone',
  'currency',
  'prepMinutes',
  'fireAheadDays',
  'autoSilence',
  'notifyReady',
  'notifyLanguage',
] as const satisfies readonly Field[]

export function RestaurantSettings({ merchant }: { merchant: MerchantDetail }) {
  return (
    <div className="settings">
      {FIELDS.map((field) => (
        <Row key={field} merchant={merchant} field={field} />
      ))}
    </div>
  )
}

interface RowProps {
  merchant: MerchantDetail
  field: Field
}

function Row({ merchant, field }: RowProps) {
  const t = usePageWords(settingsWords)
  const { t: frame } = useSpeech()
  const say = useNotice()
  const save = useChange('merchant.save')
  return (
    <SettingRow
      field={field}
      value={String(merchant[field])}
      shown={(value) => choicesOf(field, t)?.find(([choice]) => choice === value)?.[1] ?? value}
      change={save}
      save={(draft, seen, saved) =>
        save.mutate(
          { merchantId: merchant.merchantId, ...savedOf(field, draft), seen: savedOf(field, seen) as Required<Saved> },
          {
            onSuccess: () => {
              saved()
              say(frame.common.saved)
            },
          },
        )
      }
      control={(value, set) => <Control field={field} value={value} set={set} />}
    />
  )
}

interface ControlProps {
  field: Field
  value: string
  set: (value: string) => void
}

function Control({ field, value, set }: ControlProps) {
  const t = usePageWords(settingsWords)
  const { language } = useSpeech()
  const about = { name: field, label: t[field], description: t[`${field}Hint`], value, set, required: true }
  const choices = choicesOf(field, t)
  if (choices !== null) return <ChoiceField {...about} choices={choices} />
  if (field === 'prepMinutes' || field === 'fireAheadDays') return <NumberField {...about} />
  if (field === 'name') return <TextField {...about} maxLength={120} />
  const data = field === 'currency' ? currencyChoices(value, languageFacts(language).locale) : zoneChoices(value)
  return <SearchChoice {...about} data={data} none={t.noChoice} />
}

/** Null: it is no choice. */
function choicesOf(field: Field, t: SettingsWords): [value: string, label: string][] | null {
  if (field === 'autoSilence')
    return [
      ['true', t.yes],
      ['false', t.no],
    ]
  if (field === 'notifyReady')
    return [
      ['off', t.notify.off],
      ['sms', t.notify.sms],
      ['mail', t.notify.mail],
      ['both', t.notify.both],
    ]
  return field === 'notifyLanguage' ? SPOKEN.map((id) => [id, languageFacts(id).name]) : null
}

/** As the relay wants it, from its text. */
function savedOf(field: Field, text: string): Saved {
  if (field === 'prepMinutes' || field === 'fireAheadDays') return { [field]: Number(text) }
  if (field === 'autoSilence') return { autoSilence: text === 'true' }
  return { [field]: text.trim() }
}
