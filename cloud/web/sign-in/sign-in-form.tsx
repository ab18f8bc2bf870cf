// Sign-in by passkey, password, or a code by mail. One form, so that password managers recognise it.
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { DoorAnswer, SessionAnswer } from '#cloud/control/session-answers.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import type { ApiError } from '#shared/ui/api.ts'
import { PasswordField, TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { CodeForm } from './code-form.tsx'
import { byPasskey, sendCode, signInByCode, signInByPassword } from './door.ts'
import { doorWords } from './words.ts'

interface SignInFormProps {
  door: DoorAnswer
  /** The only address that may sign in; null: any. */
  email?: string | null
  done: (session: SessionAnswer) => void
}

export function SignInForm({ door, email: own = null, done }: SignInFormProps) {
  const t = usePageWords(doorWords)
  const { language } = useSpeech()
  const [email, setEmail] = useState(own ?? '')
  const [password, setPassword] = useState('')
  const enter = useMutation<SessionAnswer, ApiError>({
    mutationFn: () => signInByPassword(email, password),
    onSuccess: done,
    onError: () => setPassword(''),
  })
  const code = useMutation<{ codeId: string; minutes: number }, ApiError>({
    mutationFn: () => sendCode(email, language),
  })
  const passkey = usePasskey(door.passkeys, done)
  if (code.data)
    return (
      <CodeForm
        sent={code.data}
        email={email}
        label={t.signIn}
        act={(typed) => signInByCode(code.data.codeId, typed)}
        done={done}
        back={code.reset}
      />
    )
  return (
    <>
      <Form
        label={t.signIn}
        act={() => {
          code.reset()
          enter.mutate()
        }}
        change={{ error: enter.error ?? code.error, isPending: enter.isPending }}
        isWide
      >
        <TextField
          name="email"
          type="email"
          label={t.email}
          autoComplete={door.passkeys ? 'username webauthn' : 'username'}
          required
          readOnly={own !== null}
          value={email}
          set={setEmail}
        />
        <PasswordField
          name="password"
          label={t.password}
          autoComplete="current-password"
          value={password}
          set={setPassword}
        />
      </Form>
      <Problem error={passkey.error} />
      <div className="ways">
        {door.passkeys && (
          <Button variant="default" loading={passkey.isPending} onClick={passkey.ask}>
            {t.byPasskey}
          </Button>
        )}
        <Button
          variant="default"
          loading={code.isPending}
          onClick={() => {
            enter.reset()
            code.mutate()
          }}
        >
          {t.sendCode}
        </Button>
      </div>
    </>
  )
}

/** A passkey at the press of a button, or quietly in the list of the e-mail field. */
function usePasskey(isOffered: boolean, done: (session: SessionAnswer) => void) {
  const ask = useMutation<SessionAnswer | null, ApiError, { isQuiet: boolean }>({
    mutationFn: ({ isQuiet }) => byPasskey('session/passkey', isQuiet),
    onSuccess: (session) => session && done(session),
  })
  const { mutate } = ask
  useEffect(() => {
    if (isOffered) mutate({ isQuiet: true })
  }, [isOffered, mutate])
  const isAsked = ask.isPending && ask.variables?.isQuiet === false
  // What was offered quietly fails quietly.
  const error = ask.variables?.isQuiet === false ? ask.error : null
  return { error, isPending: isAsked, ask: () => mutate({ isQuiet: false }) }
}
