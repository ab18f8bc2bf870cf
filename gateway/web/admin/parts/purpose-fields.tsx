// Asks what a screen is for, and which stations it shows: picked from those that are known, or typed when it is a new one.
import '#gateway/web/admin/stations.css'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useRead } from '#gateway/web/admin/operations.ts'
import { asSentence } from '#shared/ui/form-problems.ts'
import { TextField } from '#shared/ui/parts/fields.tsx'
import { stationsOf } from './printer-draft.ts'
import { isPicked, pickedAfter, SCREEN_KINDS, type ScreenPurpose, stationChoices } from './screen-purpose.ts'

interface PurposeProps {
  purpose: ScreenPurpose
  set: (part: Partial<ScreenPurpose>) => void
}

export function PurposeFields({ purpose, set }: PurposeProps) {
  const { t } = useSpeech()
  return (
    <>
      <fieldset className="ticks choices kinds">
        <legend>{t.displays.kind}</legend>
        {SCREEN_KINDS.map((kind) => (
          <label key={kind} className="tick">
            <input
              type="radio"
              name="kind"
              value={kind}
              checked={purpose.kind === kind}
              onChange={() => set({ kind })}
            />
            <span>
              {t.displays.kinds[kind]}
              {purpose.kind === kind && t.displays.kindHints[kind] !== '' && (
                <span className="soft under">{t.displays.kindHints[kind]}</span>
              )}
            </span>
          </label>
        ))}
      </fieldset>
      {purpose.kind === 'station' && <StationPicker purpose={purpose} set={set} />}
    </>
  )
}

function StationPicker({ purpose: { stations, another }, set }: PurposeProps) {
  const { t } = useSpeech()
  const known = useRead('stations.list', {}).data?.stations ?? []
  const choices = stationChoices(known, stations)
  return (
    <fieldset className="ticks choices">
      <legend>{t.displays.whichStations}</legend>
      {choices.map(({ name, lacksScreen }) => (
        <label key={name.toLowerCase()} className="tick">
          <input
            type="checkbox"
            checked={isPicked(stations, name)}
            onChange={({ currentTarget }) => set({ stations: pickedAfter(stations, name, currentTarget.checked) })}
          />
          <span>
            <bdi>{name}</bdi>
            {lacksScreen && <span className="soft under"> {t.displays.noScreenYet}</span>}
          </span>
        </label>
      ))}
      <TextField
        name="stations"
        label={choices.length > 0 ? t.displays.anotherStation : t.stations.name}
        description={t.displays.anotherHint}
        required={stations.length === 0}
        withAsterisk={false}
        error={another !== '' && stationsOf(another).length === 0 && asSentence(t.refusals.rules.required)}
        value={another}
        set={(typed) => set({ another: typed })}
      />
    </fieldset>
  )
}
