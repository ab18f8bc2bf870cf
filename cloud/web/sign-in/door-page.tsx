// The pages before one is signed in: sign-in, sign-up, a new password, an invitation, the first link.
import { Anchor, Loader } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { SessionAnswer } from '#cloud/control/session-answers.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import type { ApiError } from '#shared/ui/api.ts'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { welcome } from './door.ts'
import { DoorFrame } from './door-frame.tsx'
import { type DoorPlace, type DoorView, showDoor } from './door-place.ts'
import { Invite } from './invite.tsx'
import { Reset } from './reset.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignUp } from './sign-up.tsx'
import { doorWords } from './words.ts'

interface DoorProps {
  place: DoorPlace
  session: SessionAnswer
  done: (session: SessionAnswer) => void
}

export function DoorPage({ place, session, done }: DoorProps) {
  const [view, setView] = useState<DoorPlace>(place)
  const show = (next: DoorView) => {
    showDoor(next)
    setView({ view: next })
  }
  const toSignIn = () => (session.state === 'signed-in' ? done(session) : show('sign-in'))
  if (session.door.refused === 'plain') return <PlainHttp />
  if (view.view === 'welcome') return <Welcome code={view.code} done={done} toSignIn={toSignIn} />
  if (view.view === 'invite') return <Invite code={view.code} session={session} done={done} toSignIn={toSignIn} />
  if (view.view === 'sign-up') return <SignUp door={session.door} done={done} toSignIn={() => show('sign-in')} />
  if (view.view === 'reset') return <Reset door={session.door} done={done} toSignIn={() => show('sign-in')} />
  return <SignIn session={session} done={done} show={show} />
}

function SignIn({ session: { door }, done, show }: Omit<DoorProps, 'place'> & { show: (view: DoorView) => void }) {
  const t = usePageWords(doorWords)
  return (
    <DoorFrame title={t.title}>
      <SignInForm door={door} done={done} />
      {!door.sendsMail && <p className="soft">{t.inOutbox}</p>}
      <div className="door-links">
        <Anchor inherit component="button" type="button" onClick={() => show('reset')}>
          {t.forgotten}
        </Anchor>
        {door.signUp === 'open' && (
          <Anchor inherit component="button" type="button" onClick={() => show('sign-up')}>
            {t.toSignUp}
          </Anchor>
        )}
      </div>
      {door.signUp !== 'open' && <p className="soft">{t.invitedOnly}</p>}
    </DoorFrame>
  )
}

/** The link is used as soon as it is opened: its code is the permission. */
function Welcome({ code, done, toSignIn }: Pick<DoorProps, 'done'> & { code: string; toSignIn: () => void }) {
  const t = usePageWords(doorWords)
  const enter = useMutation<SessionAnswer, ApiError>({ mutationFn: () => welcome(code), onSuccess: done })
  const { mutate } = enter
  useEffect(() => mutate(), [mutate])
  return (
    <DoorFrame title={t.welcome.title}>
      {enter.error === null ? <Loader aria-label={t.welcome.signingIn} /> : <Problem error={enter.error} />}
      {enter.error !== null && (
        <Anchor component="button" type="button" onClick={toSignIn}>
          {t.invite.another}
        </Anchor>
      )}
    </DoorFrame>
  )
}

function PlainHttp() {
  const t = usePageWords(doorWords)
  return (
    <DoorFrame title={t.plain.title}>
      <p>{t.plain.why}</p>
      <p>{t.plain.what}</p>
    </DoorFrame>
  )
}
