// A new account: who, then the code of the mail.
import { Anchor } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { DoorAnswer, SessionAnswer } from '#cloud/control/session-answers.ts'
import { shownKey } from '#cloud/web/shown-key.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import type { ApiError } from '#shared/ui/api.ts'
import { NameField, NewPasswordField, TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { CodeForm } from './code-form.tsx'
import { finishSignUp, signUp } from './door.ts'
import { DoorFrame } from './door-frame.tsx'
import { doorWords } from './words.ts'

interface SignUpProps {
  door: DoorAnswer
  done: (session: SessionAnswer) => void
  toSignIn: () => void
}

export function SignUp({ door, done, toSignIn }: SignUpProps) {
  const t = usePageWords(doorWords)
  const { language } = useSpeech()
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [company, setCompany] = useState('')
  const [password, setPassword] = useState('')
  const ask = useMutation<{ codeId: string; minutes: number }, ApiError>({
    mutationFn: () => signUp({ email, name, company, language }),
  })
  const { data: sent } = ask
  return (
    <DoorFrame title={t.signUp.title}>
      {sent ? (
        <CodeForm
          sent={sent}
          email={email}
          label={t.signUp.finish}
          act={(code) => finishSignUp({ codeId: sent.codeId, code, ...(password === '' ? {} : { password }) })}
          done={(session) => {
            shownKey.set(session.made)
            done(session)
          }}
          back={ask.reset}
        >
          <NewPasswordField required={false} label={t.signUp.password} value={password} set={setPassword} />
        </CodeForm>
      ) : (
        <>
          <p>{door.signUp === 'open' ? t.signUp.explain : t.invitedOnly}</p>
          {door.signUp === 'open' && (
            <Form label={t.signUp.send} act={() => ask.mutate()} change={ask} isWide>
              <TextField
                name="email"
                type="email"
                label={t.email}
                autoComplete="email"
                required
                value={email}
                set={setEmail}
              />
              <NameField label={t.signUp.name} autoComplete="name" maxLength={80} value={name} set={setName} />
              <TextField
                name="company"
                label={t.signUp.company}
                autoComplete="organization"
                required
                maxLength={80}
                value={company}
                set={setCompany}
              />
            </Form>
          )}
          {!door.sendsMail && <p className="soft">{t.inOutbox}</p>}
        </>
      )}
      <Anchor component="button" type="button" onClick={toSignIn}>
        {t.toSignIn}
      </Anchor>
    </DoorFrame>
  )
}
