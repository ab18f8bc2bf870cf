// Fields for secrets that only the box asks for: one's own password again, the passphrase of a backup.
import type { PasswordInputProps } from '@mantine/core'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { PasswordField, type Renamed } from '#shared/ui/parts/fields.tsx'

const SHORTEST_PASSPHRASE = 12

/** The password of the signed-in person, typed again. */
export function OwnPasswordField(field: Renamed<PasswordInputProps>) {
  const { t } = useSpeech()
  return (
    <PasswordField
      name="ownPassword"
      label={t.settings.ownPassword}
      description={t.settings.ownPasswordHint}
      autoComplete="current-password"
      {...field}
    />
  )
}

/** A passphrase for a file. Browsers must not fill a password in. */
export function NewPassphraseField(field: Renamed<PasswordInputProps>) {
  const { t } = useSpeech()
  return (
    <PasswordField
      name="passphrase"
      label={t.care.passphrase}
      description={t.care.passphraseHint(SHORTEST_PASSPHRASE)}
      autoComplete="off"
      minLength={SHORTEST_PASSPHRASE}
      {...field}
    />
  )
}
