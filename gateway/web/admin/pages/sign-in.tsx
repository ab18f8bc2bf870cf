// Sign-in with a password.
import { Paper, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { post } from '#gateway/web/admin/api.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import type { ApiError } from '#shared/ui/api.ts'
import { Logo } from '#shared/ui/logo.tsx'
import { PasswordField, TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { LanguageChoice } from '#shared/ui/parts/language-choice.tsx'

export function SignIn({ box }: { box: string }) {
  const { t } = useSpeech()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useMutation<unknown, ApiError>({
    mutationFn: () => post('session', { name, password }),
    onSuccess: () => queries.invalidateQueries(),
    onError: () => setPassword(''),
  })
  useEffect(() => {
    document.title = `${t.signIn.title} - Ticketrail`
  }, [t])
  return (
    <main className="alone">
      <Paper withBorder p="lg">
        <Stack>
          <Logo size={48} />
          <h1>{t.signIn.title}</h1>
          {box && (
            <p className="soft">
              <bdi>{box}</bdi>
            </p>
          )}
          <Form label={t.signIn.signIn} act={() => signIn.mutate()} change={signIn} isWide>
            <TextField name="name" label={t.signIn.name} autoComplete="username" required value={name} set={setName} />
            <PasswordField
              name="password"
              label={t.signIn.password}
              autoComplete="current-password"
              value={password}
              set={setPassword}
            />
          </Form>
          <p className="soft">{t.signIn.forgotten}</p>
          <LanguageChoice />
        </Stack>
      </Paper>
    </main>
  )
}
