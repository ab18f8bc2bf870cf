// The choice of a family of printers: what the chosen one is, and the models of all.
import { Button } from '@mantine/core'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useRead } from '#gateway/web/admin/operations.ts'
import { ChoiceField, type Settable } from '#shared/ui/parts/fields.tsx'
import { familyFacts, familyLabel } from './family-words.ts'

/** The closed choice shows only the beginning of a long line, so the models of the chosen family stand under it in full. */
export function FamilyField({ value, set }: Settable) {
  const { t } = useSpeech()
  const families = useRead('profiles', {}).data
  const chosen = families?.find(({ id }) => id === value)
  return (
    <>
      <ChoiceField
        name="profileId"
        className="family"
        label={t.printer.profile}
        description={t.printer.profileHint}
        value={value}
        set={set}
        choices={families?.map((family) => [family.id, familyLabel(family, t)] as const) ?? [[value, value]]}
      />
      {chosen && (
        <p className="soft">
          {familyFacts(chosen, t)}
          <br />
          <bdi>{chosen.models.join(', ')}</bdi>
        </p>
      )}
      <details>
        <summary>{t.printer.families}</summary>
        <ul className="plain families">
          {families?.map((family) => (
            <li key={family.id}>
              <Button variant="default" size="compact-sm" disabled={family.id === value} onClick={() => set(family.id)}>
                {family.id}
              </Button>{' '}
              <span className="soft">{familyFacts(family, t)}</span>
              <div dir="auto">{family.models.join(', ')}</div>
            </li>
          ))}
        </ul>
      </details>
    </>
  )
}
