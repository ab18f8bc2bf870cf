// The field for the restaurant's time zone, with doubts about its value.
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { TextField } from '#shared/ui/parts/fields.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { browserZone, type KnownZones, zoneDoubts } from './zones.ts'

interface ZoneFieldProps {
  settings: KnownZones
  description?: string
  value: string
  set: (value: string) => void
}

export function ZoneField({ settings, description, value, set }: ZoneFieldProps) {
  const { t } = useSpeech()
  const { relay, browser } = zoneDoubts(settings, value, browserZone())
  return (
    <>
      <TextField
        name="timeZone"
        label={t.settings.timeZone}
        {...(description === undefined ? {} : { description })}
        list="time-zones"
        required
        size="md"
        value={value}
        set={set}
      />
      <datalist id="time-zones">
        {timeZones().map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <div role="status">
        {relay !== null && <Mark tone="warn">{t.settings.relayZone(relay)}</Mark>}
        {browser !== null && <p className="soft">{t.settings.browserZone(browser)}</p>}
      </div>
    </>
  )
}

/** Old browsers have no list of names: then the name is typed. */
function timeZones(): readonly string[] {
  return 'supportedValuesOf' in Intl ? Intl.supportedValuesOf('timeZone') : []
}
