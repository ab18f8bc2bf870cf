// A sign-in by code: first the e-mail address, then the code from the mail with the fields beside it.
import { Anchor } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { CodeSent, DoorAnswer } from '#cloud/control/session-answers.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import type { ApiError } from '#shared/ui/api.ts'
import { TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { CodeForm } from './code-form.tsx'
import { DoorFrame } from './door-frame.tsx'
import { doorWords } from './words.ts'

interface ByMailedCodeProps<T> {
  title: string
  explain: string
  door: Pick<DoorAnswer, 'sendsMail'>
  /** Sends a code; null: codes cannot be requested here. */
  ask: { label: string; send: (email: string) => Promise<CodeSent>; autoComplete: 'username' | 'email' } | null
  /** Further fields of the first form. */
  askFields?: ReactNode
  finish: { label: string; send: (typed: { codeId: CodeSent['codeId']; code: string }) => Promise<T> }
  /** A field beside the code. */
  finishField: ReactNode
  done: (answer: T) => void
  toSignIn: () => void
}

export function ByMailedCode<T>(props: ByMailedCodeProps<T>) {
  const { title, explain, door, ask, askFields, finish, finishField, done, toSignIn } = props
  const t = usePageWords(doorWords)
  const [email, setEmail] = useState('')
  const asked = useMutation<CodeSent, ApiError, (email: string) => Promise<CodeSent>>({
    mutationFn: (send) => send(email),
  })
  const { data: sent } = asked
  return (
    <DoorFrame title={title}>
      {sent ? (
        <CodeForm
          sent={sent}
          email={email}
          label={finish.label}
          act={(code) => finish.send({ codeId: sent.codeId, code })}
          done={done}
          back={asked.reset}
        >
          {finishField}
        </CodeForm>
      ) : (
        <>
          <p>{explain}</p>
          {ask !== null && (
            <Form label={ask.label} act={() => asked.mutate(ask.send)} change={asked} isWide>
              <TextField
                name="email"
                type="email"
                label={t.email}
                autoComplete={ask.autoComplete}
                required
                value={email}
                set={setEmail}
              />
              {askFields}
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
