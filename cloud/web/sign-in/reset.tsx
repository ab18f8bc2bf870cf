// A new password in the place of a forgotten one.
import { Anchor } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { DoorAnswer, SessionAnswer } from '#cloud/control/session-answers.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import type { ApiError } from '#shared/ui/api.ts'
import { NewPasswordField, TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { CodeForm } from './code-form.tsx'
import { finishReset, sendReset } from './door.ts'
import { DoorFrame } from './door-frame.tsx'
import { doorWords } from './words.ts'

interface ResetProps {
  door: DoorAnswer
  done: (session: SessionAnswer) => void
  toSignIn: () => void
}

export function Reset({ door, done, toSignIn }: ResetProps) {
  const t = usePageWords(doorWords)
  const { language } = useSpeech()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const ask = useMutation<{ codeId: string; minutes: number }, ApiError>({
    mutationFn: () => sendReset(email, language),
  })
  const { data: sent } = ask
  return (
    <DoorFrame title={t.reset.title}>
      {sent ? (
        <CodeForm
          sent={sent}
          email={email}
          label={t.reset.finish}
          act={(code) => finishReset({ codeId: sent.codeId, code, password })}
          done={done}
          back={ask.reset}
        >
          <NewPasswordField label={t.reset.password} value={password} set={setPassword} />
        </CodeForm>
      ) : (
        <>
          <p>{t.reset.explain}</p>
          <Form label={t.reset.send} act={() => ask.mutate()} change={ask} isWide>
            <TextField
              name="email"
              type="email"
              label={t.email}
              autoComplete="username"
              required
              value={email}
              set={setEmail}
            />
          </Form>
          {!door.sendsMail && <p className="soft">{t.inOutbox}</p>}
        </>
      )}
      <Anchor component="button" type="button" onClick={toSignIn}>
        {t.toSignIn}
      </Anchor>
    </DoorFrame>
  )
}
