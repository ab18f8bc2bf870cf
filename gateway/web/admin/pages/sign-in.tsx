// Sign-in of people who have a password already.
import { Button, Paper, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { type ApiError, post } from '#gateway/web/admin/api.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { LanguageChoice } from '#gateway/web/admin/parts/language-choice.tsx'
import { Problem } from '#gateway/web/admin/parts/problem.tsx'

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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate()
  }
  return (
    <main className="alone">
      <Paper withBorder p="lg" component="form" onSubmit={submit}>
        <Stack>
          <h1>{t.signIn.title}</h1>
          {box && <p className="soft">{box}</p>}
          <TextInput
            label={t.signIn.name}
            autoComplete="username"
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <PasswordInput
            label={t.signIn.password}
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Problem error={signIn.error} />
          <Button type="submit" loading={signIn.isPending}>
            {t.signIn.signIn}
          </Button>
          <p className="soft">{t.signIn.forgotten}</p>
          <LanguageChoice />
        </Stack>
      </Paper>
    </main>
  )
}
