// Where a printer is and of which family: for a new one and for changes.
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { NameField, NumberField, TextField } from '#shared/ui/parts/fields.tsx'
import { FamilyField } from './family-field.tsx'

export interface DeviceDraft {
  name: string
  host: string
  port: string
  profileId: string
}

export function DeviceFields({ draft, set }: { draft: DeviceDraft; set: (part: Partial<DeviceDraft>) => void }) {
  const { t } = useSpeech()
  return (
    <>
      <NameField label={t.printer.name} value={draft.name} set={(name) => set({ name })} />
      <TextField
        name="host"
        label={t.printer.address}
        description={t.printer.addressHint}
        required
        value={draft.host}
        set={(host) => set({ host })}
      />
      <NumberField
        name="port"
        label={t.printer.port}
        digits={5}
        required
        value={draft.port}
        set={(port) => set({ port })}
      />
      <FamilyField value={draft.profileId} set={(profileId) => set({ profileId })} />
    </>
  )
}
