// The form for the code of a mail: it proves access to that mailbox.
import { Anchor } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { usePageWords } from '#cloud/web/speech.tsx'
import type { ApiError } from '#shared/ui/api.ts'
import { CodeField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { doorWords } from './words.ts'

interface CodeFormProps<T> {
  sent: { minutes: number }
  email: string
  label: string
  act: (code: string) => Promise<T>
  done: (answer: T) => void
  /** To the page before, to ask for another code. */
  back: () => void
  /** Further fields, behind the code. */
  children?: ReactNode
}

export function CodeForm<T>({ sent, email, label, act, done, back, children }: CodeFormProps<T>) {
  const t = usePageWords(doorWords)
  const [code, setCode] = useState('')
  const send = useMutation<T, ApiError>({ mutationFn: () => act(code), onSuccess: done })
  return (
    <>
      <p>{t.codeSent(email, sent.minutes)}</p>
      <Form label={label} act={() => send.mutate()} change={send} isWide>
        <CodeField
          label={t.code}
          description={t.codeForm}
          autoComplete="one-time-code"
          maxLength={20}
          data-autofocus
          autoFocus
          value={code}
          set={setCode}
        />
        {children}
      </Form>
      <Anchor component="button" type="button" onClick={back}>
        {t.anotherCode}
      </Anchor>
    </>
  )
}
