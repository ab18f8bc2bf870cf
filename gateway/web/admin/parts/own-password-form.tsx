// Another password for oneself.
import { Button, Group, PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type ApiError, post } from '#gateway/web/admin/api.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useNotice } from './notices.tsx'
import { Problem } from './problem.tsx'

export const SHORTEST_PASSWORD = 8

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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate()
  }
  return (
    <form className="stack narrow" onSubmit={submit}>
      <PasswordInput
        label={t.settings.currentPassword}
        autoComplete="current-password"
        required
        value={current}
        onChange={(event) => setCurrent(event.currentTarget.value)}
      />
      <PasswordInput
        label={t.settings.newPassword}
        description={t.settings.passwordHint(SHORTEST_PASSWORD)}
        autoComplete="new-password"
        required
        minLength={SHORTEST_PASSWORD}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Problem error={change.error} />
      <Group>
        <Button type="submit" loading={change.isPending}>
          {t.settings.changePassword}
        </Button>
      </Group>
    </form>
  )
}
