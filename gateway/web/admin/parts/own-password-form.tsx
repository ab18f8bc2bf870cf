// Another password for oneself.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '#gateway/web/admin/api.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import type { ApiError } from '#shared/ui/api.ts'
import { NewPasswordField, PasswordField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'

export function OwnPasswordForm() {
  const { t } = useSpeech()
  const say = useNotice()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const change = useMutation<unknown, ApiError>({
    mutationFn: () => post('session/password', { current, password }),
    onSuccess: () => {
      setCurrent('')
      setPassword('')
      say(t.settings.passwordChanged)
    },
  })
  return (
    <Form label={t.settings.changePassword} act={() => change.mutate()} change={change}>
      <PasswordField
        name="current"
        label={t.settings.currentPassword}
        autoComplete="current-password"
        value={current}
        set={setCurrent}
      />
      <NewPasswordField label={t.settings.newPassword} value={password} set={setPassword} />
    </Form>
  )
}
