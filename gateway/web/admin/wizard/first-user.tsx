// The first minutes of a box: language, and the first technician with a password of their own. There is no default one.
import { Paper, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { post } from '#gateway/web/admin/api.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import type { ApiError } from '#shared/ui/api.ts'
import { Logo } from '#shared/ui/logo.tsx'
import { CodeField, NameField, NewPasswordField, PasswordField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { LanguageChoice } from '#shared/ui/parts/language-choice.tsx'

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
      history.replaceState(null, '', '/admin/setup/name')
      await queries.invalidateQueries()
      location.reload()
    },
  })
  useEffect(() => {
    document.title = `${t.wizard.welcome} - Ticketrail`
  }, [t])
  return (
    <main className="alone">
      <Paper withBorder p="lg">
        <Stack>
          <Logo size={48} />
          <h1>{t.wizard.welcome}</h1>
          <LanguageChoice />
          <p>{t.wizard.firstUser}</p>
          <Form
            label={t.wizard.create}
            act={() => {
              if (!isUnlike) create.mutate()
            }}
            change={create}
            isWide
          >
            <CodeField
              label={t.wizard.code}
              description={t.wizard.codeHint}
              maxLength={20}
              value={code}
              set={setCode}
            />
            <NameField label={t.signIn.name} autoComplete="username" value={name} set={setName} />
            <NewPasswordField label={t.settings.newPassword} value={password} set={setPassword} />
            <PasswordField
              name="again"
              label={t.wizard.again}
              autoComplete="new-password"
              error={isUnlike ? t.wizard.unlike : null}
              value={again}
              set={setAgain}
            />
          </Form>
        </Stack>
      </Paper>
    </main>
  )
}

/** The set-up ticket and the terminal show the address with the code behind `#`, which no server gets to see. */
function codeInAddress(): string {
  return /[#&]setup=([A-Za-z-]{4,20})/.exec(location.hash)?.[1] ?? ''
}
