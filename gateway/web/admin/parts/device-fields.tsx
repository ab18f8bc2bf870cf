// Where a printer is and of which family: for a new one and for changes.
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useRead } from '#gateway/web/admin/operations.ts'
import { ChoiceField, NameField, NumberField, TextField } from '#shared/ui/parts/fields.tsx'

export interface DeviceDraft {
  name: string
  host: string
  port: string
  profileId: string
}

/** The list of models behind a family is long. */
const LONGEST_LABEL = 90

export function DeviceFields({ draft, set }: { draft: DeviceDraft; set: (part: Partial<DeviceDraft>) => void }) {
  const { t } = useSpeech()
  const profiles = useRead('profiles', {})
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
      <ChoiceField
        name="profileId"
        label={t.printer.profile}
        description={t.printer.profileHint}
        value={draft.profileId}
        set={(profileId) => set({ profileId })}
        choices={(profiles.data ?? [{ id: draft.profileId, models: [] }]).map(
          ({ id, models }) => [id, `${id}: ${models.join(', ')}`.slice(0, LONGEST_LABEL)] as const,
        )}
      />
    </>
  )
}
