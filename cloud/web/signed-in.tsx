// The pages for a signed-in person. A person whose session ends signs in over the page: what was typed stays.
import { Modal } from '@mantine/core'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { SessionAnswer } from '#cloud/control/session-answers.ts'
import { pageRouter } from './routes.tsx'
import { SessionContext } from './session.ts'
import { useSpeech } from './speech.tsx'
import { StepUpProvider } from './step-up.tsx'

const SignInForm = lazy(async () => ({ default: (await import('./sign-in/sign-in-form.tsx')).SignInForm }))

interface SignedInProps {
  session: SessionAnswer
  isSignedOut: boolean
  again: (session: SessionAnswer) => void
}

export function SignedIn({ session, isSignedOut, again }: SignedInProps) {
  const { t } = useSpeech()
  const [router] = useState(pageRouter)
  const back = (answer: SessionAnswer) => {
    again(answer)
    // Of another person nothing of this one may stay.
    if (answer.person?.userId !== session.person?.userId) location.reload()
  }
  return (
    <SessionContext value={session}>
      <StepUpProvider>
        <RouterProvider router={router} />
      </StepUpProvider>
      <Modal opened={isSignedOut} onClose={() => undefined} withCloseButton={false} title={t.again.title}>
        <div className="stack">
          <p>{t.again.why}</p>
          <Suspense fallback={null}>
            <SignInForm door={session.door} email={session.person?.email ?? null} done={back} />
          </Suspense>
        </div>
      </Modal>
    </SessionContext>
  )
}
