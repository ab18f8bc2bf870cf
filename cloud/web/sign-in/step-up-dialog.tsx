// Confirms the person's identity again: by passkey, by password, or, for people who have neither, by a code in a mail.
import { Button, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { SessionAnswer } from '#cloud/control/session-answers.ts'
import { useSession, useShowSession } from '#cloud/web/session.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import type { ApiError } from '#shared/ui/api.ts'
import { PasswordField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { CodeForm } from './code-form.tsx'
import { byPasskey, elevateByPassword, sendCode, signInByCode } from './door.ts'
import { doorWords } from './words.ts'

export function StepUpDialog({ done, cancel }: { done: () => void; cancel: () => void }) {
  const { t } = useSpeech()
  const { person, door } = useSession()
  const show = useShowSession()
  const shown = (session: SessionAnswer | null) => {
    if (session === null) return
    void show(session).then(done)
  }
  const hasPasskey = door.passkeys && (person?.passkeys ?? 0) > 0
  const hasPassword = person?.hasPassword ?? false
  return (
    <Modal opened onClose={cancel} title={t.stepUp.title}>
      <div className="stack">
        <p>{t.stepUp.why}</p>
        {hasPasskey && <ByPasskey shown={shown} />}
        {hasPassword && <ByPassword shown={shown} />}
        {!hasPasskey && !hasPassword && <ByCode email={person?.email ?? ''} shown={shown} />}
      </div>
    </Modal>
  )
}

interface WayProps {
  shown: (session: SessionAnswer | null) => void
}

function ByPasskey({ shown }: WayProps) {
  const { t } = useSpeech()
  const ask = useMutation<SessionAnswer | null, ApiError>({
    mutationFn: () => byPasskey('session/elevate/passkey'),
    onSuccess: shown,
  })
  return (
    <>
      <Button loading={ask.isPending} onClick={() => ask.mutate()}>
        {t.stepUp.byPasskey}
      </Button>
      <Problem error={ask.error} />
    </>
  )
}

function ByPassword({ shown }: WayProps) {
  const { t } = useSpeech()
  const [password, setPassword] = useState('')
  const ask = useMutation<SessionAnswer, ApiError>({
    mutationFn: () => elevateByPassword(password),
    onSuccess: shown,
    onError: () => setPassword(''),
  })
  return (
    <Form label={t.stepUp.go} act={() => ask.mutate()} change={ask} isWide>
      <PasswordField
        name="password"
        label={t.stepUp.password}
        autoComplete="current-password"
        data-autofocus
        value={password}
        set={setPassword}
      />
    </Form>
  )
}

function ByCode({ email, shown }: WayProps & { email: string }) {
  const { t, language } = useSpeech()
  const door = usePageWords(doorWords)
  const { sendsMail } = useSession().door
  const send = useMutation<{ codeId: string; minutes: number }, ApiError>({
    mutationFn: () => sendCode(email, language),
  })
  const { data: sent } = send
  const note = sendsMail ? null : <p className="soft">{door.inOutbox}</p>
  if (sent)
    return (
      <>
        <CodeForm
          sent={sent}
          email={email}
          label={t.stepUp.go}
          act={(code) => signInByCode(sent.codeId, code)}
          done={shown}
          back={send.reset}
        />
        {note}
      </>
    )
  return (
    <>
      <Button loading={send.isPending} onClick={() => send.mutate()}>
        {t.stepUp.sendCode(email)}
      </Button>
      <Problem error={send.error} />
      {note}
    </>
  )
}
