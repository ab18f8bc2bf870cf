// Fields for secrets that only the box asks for: one's own password again, the passphrase of a backup.
import type { PasswordInputProps } from '@mantine/core'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { PasswordField, type Renamed } from '#shared/ui/parts/fields.tsx'

const SHORTEST_PASSPHRASE = 12

/** The password of whoever is signed in, typed again. */
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

/** For a file that somebody locks. No browser shall put a password there. */
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
