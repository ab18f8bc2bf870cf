// The first minutes of a box: language, and the first technician with a password of their own. There is no default one.
import { Button, Paper, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { type ApiError, post } from '#gateway/web/admin/api.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { LanguageChoice } from '#gateway/web/admin/parts/language-choice.tsx'
import { SHORTEST_PASSWORD } from '#gateway/web/admin/parts/own-password-form.tsx'
import { Problem } from '#gateway/web/admin/parts/problem.tsx'

export function FirstUser() {
  const { t } = useSpeech()
  const queries = useQueryClient()
  const [code, setCode] = useState(codeInAddress)
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const isUnlike = again !== '' && again !== password
  const create = useMutation<unknown, ApiError>({
    mutationFn: () => post('setup', { code: code.trim(), name, password }),
    onSuccess: async () => {
      // The guide goes on from here; the code must not stay in the address.
      history.replaceState(null, '', '/admin/setup/box')
      await queries.invalidateQueries()
      location.reload()
    },
  })
  useEffect(() => {
    document.title = `${t.wizard.welcome} - Ticketrail`
  }, [t])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isUnlike) create.mutate()
  }
  return (
    <main className="alone">
      <Paper withBorder p="lg" component="form" onSubmit={submit}>
        <Stack>
          <h1>{t.wizard.welcome}</h1>
          <LanguageChoice />
          <p>{t.wizard.firstUser}</p>
          <TextInput
            label={t.wizard.code}
            description={t.wizard.codeHint}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            required
            maxLength={20}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <TextInput
            label={t.signIn.name}
            autoComplete="username"
            required
            maxLength={40}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
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
          <PasswordInput
            label={t.wizard.again}
            autoComplete="new-password"
            required
            error={isUnlike ? t.wizard.unlike : null}
            value={again}
            onChange={(event) => setAgain(event.currentTarget.value)}
          />
          <Problem error={create.error} />
          <Button type="submit" loading={create.isPending}>
            {t.wizard.create}
          </Button>
        </Stack>
      </Paper>
    </main>
  )
}

/** The set-up ticket and the terminal show the address with the code behind `#`, which no server gets to see. */
function codeInAddress(): string {
  return /[#&]setup=([A-Za-z-]{4,20})/.exec(location.hash)?.[1] ?? ''
}
