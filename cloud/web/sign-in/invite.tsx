// An invitation: what it is for is shown before it is accepted.
import { Anchor, Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { InviteAnswer, SessionAnswer } from '#cloud/control/session-answers.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import type { ApiError } from '#shared/ui/api.ts'
import { NameField, NewPasswordField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { acceptInvite, inviteOf } from './door.ts'
import { DoorFrame } from './door-frame.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { doorWords } from './words.ts'

interface InviteProps {
  code: string
  session: SessionAnswer
  done: (session: SessionAnswer) => void
  toSignIn: () => void
}

export function Invite({ code, session, done, toSignIn }: InviteProps) {
  const t = usePageWords(doorWords)
  const invite = useQuery<InviteAnswer, ApiError>({
    queryKey: ['invite', code],
    queryFn: () => inviteOf(code),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <DoorFrame title={t.invite.title}>
      {invite.isPending && <p className="soft">{t.invite.reading}</p>}
      <Problem error={invite.error} />
      {invite.error && (
        <Anchor component="button" type="button" onClick={toSignIn}>
          {t.invite.another}
        </Anchor>
      )}
      {invite.data && <Offer invite={invite.data} code={code} session={session} done={done} />}
    </DoorFrame>
  )
}

interface OfferProps extends Omit<InviteProps, 'toSignIn'> {
  invite: InviteAnswer
}

function Offer({ invite, code, session, done }: OfferProps) {
  const t = usePageWords(doorWords)
  const speech = useSpeech()
  const { email, accountName, role, invitedBy, isKnown, isOperator } = invite
  const accept = useMutation<SessionAnswer, ApiError>({ mutationFn: () => acceptInvite({ code }), onSuccess: done })
  const isSignedIn = session.person?.email.toLowerCase() === email.toLowerCase()
  return (
    <>
      {accountName !== null && role !== null && (
        <p>
          <strong>{t.invite.toAccount(accountName, speech.t.roles[role])}</strong>
        </p>
      )}
      {isOperator && <p>{t.invite.toOperate}</p>}
      {invitedBy !== null && <p>{t.invite.by(invitedBy)}</p>}
      <p className="soft">{t.invite.forEmail(email)}</p>
      <Problem error={accept.error} />
      {isSignedIn && (
        <Button loading={accept.isPending} onClick={() => accept.mutate()}>
          {t.invite.accept}
        </Button>
      )}
      {!isSignedIn && isKnown && (
        <>
          <p>{t.invite.signInFirst}</p>
          <SignInForm door={session.door} email={email} done={() => accept.mutate()} />
        </>
      )}
      {!isSignedIn && !isKnown && <NewPerson code={code} done={done} />}
    </>
  )
}

function NewPerson({ code, done }: Pick<InviteProps, 'code' | 'done'>) {
  const t = usePageWords(doorWords)
  const { language } = useSpeech()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const accept = useMutation<SessionAnswer, ApiError>({
    mutationFn: () => acceptInvite({ code, name, language, ...(password === '' ? {} : { password }) }),
    onSuccess: done,
  })
  return (
    <Form label={t.invite.accept} act={() => accept.mutate()} change={accept} isWide>
      <NameField label={t.invite.name} autoComplete="name" maxLength={80} value={name} set={setName} />
      <NewPasswordField
        required={false}
        label={t.invite.password}
        description={t.invite.passwordHint}
        value={password}
        set={setPassword}
      />
    </Form>
  )
}
