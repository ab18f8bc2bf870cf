// A new password in the place of a forgotten one.
import { useState } from 'react'
import type { DoorAnswer, SessionAnswer } from '#cloud/control/session-answers.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { NewPasswordField } from '#shared/ui/parts/fields.tsx'
import { ByMailedCode } from './by-mailed-code.tsx'
import { finishReset, sendReset } from './door.ts'
import { doorWords } from './words.ts'

interface ResetProps {
  door: DoorAnswer
  done: (session: SessionAnswer) => void
  toSignIn: () => void
}

export function Reset({ door, done, toSignIn }: ResetProps) {
  const { reset: t } = usePageWords(doorWords)
  const { language } = useSpeech()
  const [password, setPassword] = useState('')
  return (
    <ByMailedCode
      title={t.title}
      explain={t.explain}
      door={door}
      ask={{ label: t.send, send: (email) => sendReset(email, language), autoComplete: 'username' }}
      finish={{ label: t.finish, send: (typed) => finishReset({ ...typed, password }) }}
      finishField={<NewPasswordField label={t.password} value={password} set={setPassword} />}
      done={done}
      toSignIn={toSignIn}
    />
  )
}
