// A new account: name and address, then the code of the mail.
import { useState } from 'react'
import type { DoorAnswer, SessionAnswer } from '#cloud/control/session-answers.ts'
import { shownKey } from '#cloud/web/shown-key.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { NameField, NewPasswordField, TextField } from '#shared/ui/parts/fields.tsx'
import { ByMailedCode } from './by-mailed-code.tsx'
import { finishSignUp, signUp } from './door.ts'
import { doorWords } from './words.ts'

interface SignUpProps {
  door: DoorAnswer
  done: (session: SessionAnswer) => void
  toSignIn: () => void
}

export function SignUp({ door, done, toSignIn }: SignUpProps) {
  const { signUp: t, invitedOnly } = usePageWords(doorWords)
  const { language } = useSpeech()
  const [name, setName] = useState('')
  const [company, setCompany] = useState('')
  const [password, setPassword] = useState('')
  const isOpen = door.signUp === 'open'
  const send = (email: string) => signUp({ email, name, company, language })
  return (
    <ByMailedCode
      title={t.title}
      explain={isOpen ? t.explain : invitedOnly}
      door={door}
      ask={isOpen ? { label: t.send, send, autoComplete: 'email' } : null}
      askFields={
        <>
          <NameField label={t.name} autoComplete="name" maxLength={80} value={name} set={setName} />
          <TextField
            name="company"
            label={t.company}
            autoComplete="organization"
            required
            maxLength={80}
            value={company}
            set={setCompany}
          />
        </>
      }
      finish={{
        label: t.finish,
        send: (typed) => finishSignUp({ ...typed, ...(password === '' ? {} : { password }) }),
      }}
      finishField={<NewPasswordField required={false} label={t.password} value={password} set={setPassword} />}
      done={(session) => {
        shownKey.set(session.made)
        done(session)
      }}
      toSignIn={toSignIn}
    />
  )
}
