// The places of a restaurant: their names, and a further one.
import { useState } from 'react'
import type { LocationAnswer } from '#cloud/control/merchant-list.ts'
import { settingsWords } from '#cloud/web/messages/settings.ts'
import { useChange } from '#cloud/web/operations.ts'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { NameField, TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { SettingRow } from './setting-row.tsx'

export function PlaceSettings({ merchantId, places }: { merchantId: string; places: readonly LocationAnswer[] }) {
  const t = usePageWords(settingsWords)
  const mayChange = useMay('kitchen')
  return (
    <div className="settings">
      <p className="soft">{t.placesHint}</p>
      {places.map((place) => (
        <PlaceRow key={place.locationId} merchantId={merchantId} place={place} />
      ))}
      {mayChange && <AddPlace merchantId={merchantId} />}
    </div>
  )
}

function PlaceRow({ merchantId, place }: { merchantId: string; place: LocationAnswer }) {
  const t = usePageWords(settingsWords)
  const { t: frame } = useSpeech()
  const say = useNotice()
  const { locationId, isDefault, kitchen } = place
  const rename = useChange('locations.rename')
  const hints = [isDefault && t.defaultPlace, kitchen === 'simulated' && t.simulatedPlace].filter(Boolean)
  return (
    <SettingRow
      field="name"
      value={place.name}
      change={rename}
      save={(name, seen, saved) =>
        rename.mutate(
          { merchantId, locationId, name: name.trim(), seen: { name: seen } },
          {
            onSuccess: () => {
              saved()
              say(frame.common.saved)
            },
          },
        )
      }
      control={(value, set) => (
        <TextField
          name="name"
          label={t.placeName(place.name)}
          description={hints.join(', ')}
          required
          maxLength={120}
          value={value}
          set={set}
        />
      )}
    />
  )
}

function AddPlace({ merchantId }: { merchantId: string }) {
  const t = usePageWords(settingsWords)
  const say = useNotice()
  const [name, setName] = useState('')
  const add = useChange('locations.add', (place) => {
    say(t.placeAdded(place.name))
    setName('')
  })
  return (
    <div className="setting">
      <Form
        label={t.addPlace}
        act={() => add.mutate({ merchantId, name: name.trim() })}
        change={add}
        isQuiet={name.trim() === ''}
      >
        <NameField label={t.newPlace} maxLength={120} value={name} set={setName} />
      </Form>
    </div>
  )
}
