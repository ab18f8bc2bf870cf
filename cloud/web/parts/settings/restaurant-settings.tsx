// The settings of the restaurant: one question for each row.
import type { MerchantDetail } from '#cloud/control/merchant-list.ts'
import type { OperationBody } from '#cloud/control/operations.ts'
import { settingsWords } from '#cloud/web/messages/settings.ts'
import { useChange } from '#cloud/web/operations.ts'
import { SearchChoice } from '#cloud/web/parts/search-choice.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { languageFacts } from '#shared/languages.ts'
import { ChoiceField, NumberField, TextField } from '#shared/ui/parts/fields.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { SettingRow } from './setting-row.tsx'
import { currencyChoices, zoneChoices } from './zone-choices.ts'

type Field = 'name' | 'timeZone' | 'currency' | 'prepMinutes' | 'fireAheadDays' | 'autoSilence'
type Saved = Pick<OperationBody<'merchant.save'>, Field>

const FIELDS = [
  'name',
  'timeZone',
  'currency',
  'prepMinutes',
  'fireAheadDays',
  'autoSilence',
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
      shown={(value) => (field === 'autoSilence' ? (value === 'true' ? t.yes : t.no) : value)}
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
  if (field === 'autoSilence')
    return (
      <ChoiceField
        {...about}
        choices={[
          ['true', t.yes],
          ['false', t.no],
        ]}
      />
    )
  if (field === 'prepMinutes' || field === 'fireAheadDays') return <NumberField {...about} />
  if (field === 'name') return <TextField {...about} maxLength={120} />
  const data = field === 'currency' ? currencyChoices(value, languageFacts(language).locale) : zoneChoices(value)
  return <SearchChoice {...about} data={data} none={t.noChoice} />
}

/** As the relay wants it, from its text. */
function savedOf(field: Field, text: string): Saved {
  if (field === 'prepMinutes' || field === 'fireAheadDays') return { [field]: Number(text) }
  if (field === 'autoSilence') return { autoSilence: text === 'true' }
  return { [field]: text.trim() }
}
