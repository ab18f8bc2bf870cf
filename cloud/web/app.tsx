// The page as a whole: its frame of language, colours and data; then the door, or the pages.
import { Button, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, useCallback, useState } from 'react'
import type { SessionAnswer } from '#cloud/control/session-answers.ts'
import type { Messages } from '#cloud/web/messages/en.ts'
import { ApiError } from '#shared/ui/api.ts'
import { PageRoot } from '#shared/ui/page-root.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import type { RefusalNames } from '#shared/ui/problem-words.ts'
import { sessionQuery, useShowSession } from './session.ts'
import { doorPlace, leaveDoor } from './sign-in/door-place.ts'
import { LOADERS, useSpeech } from './speech.tsx'

const DoorPage = lazy(async () => ({ default: (await import('./sign-in/door-page.tsx')).DoorPage }))
const SignedIn = lazy(async () => ({ default: (await import('./signed-in.tsx')).SignedIn }))

/** How the page calls the fields that a refusal of the relay names: as its forms do. */
const REFUSALS: RefusalNames<Messages> = {
  moreBehind: new Set(),
  labels: (t) => t.fields,
}

export function App() {
  return (
    <PageRoot loaders={LOADERS} refusals={REFUSALS}>
      <Entrance />
    </PageRoot>
  )
}

function Entrance() {
  const { t } = useSpeech()
  const show = useShowSession()
  const session = useQuery(sessionQuery)
  const [place, setPlace] = useState(() => doorPlace(location))
  /** The newest session with a signed-in person since this page was loaded. */
  const [last, setLast] = useState<SessionAnswer | null>(null)
  const done = useCallback(
    (answer: SessionAnswer) => {
      leaveDoor()
      setPlace(null)
      void show(answer)
    },
    [show],
  )
  const { data } = session
  const isLink = place !== null && 'code' in place
  if (data?.state === 'signed-in' && data !== last) {
    setLast(data)
    // A signed-in person does not need the sign-in pages; the links of mails work for them, too.
    if (!isLink) leaveDoor()
  }
  if (data && place !== null && (isLink || (place.view !== 'sign-in' && last === null)))
    return <DoorPage place={place} session={data} done={done} />
  const shown = data?.state === 'signed-in' ? data : last
  if (data && shown) return <SignedIn session={shown} isSignedOut={data.state === 'signed-out'} again={done} />
  if (data) return <DoorPage place={place ?? { view: 'sign-in' }} session={data} done={done} />
  if (session.isPending) return <Loader className="centre" aria-label={t.common.loading} />
  return (
    <main className="alone stack">
      <h1>Ticketrail</h1>
      <Problem
        error={session.error instanceof ApiError ? session.error : new ApiError('internal', 0, { message: '' })}
      />
      <Button onClick={() => void session.refetch()}>{t.common.tryAgain}</Button>
    </main>
  )
}
