// The page as a whole: its frame of language, colours and data; then set-up, sign-in, or the pages.
import { Button, Loader, Paper, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { ApiError } from '#shared/ui/api.ts'
import { PageRoot } from '#shared/ui/page-root.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { LOADERS, useSpeech } from './i18n.tsx'
import { LiveProvider } from './live.tsx'
import { REFUSALS } from './refusals.ts'
import { pageRouter } from './routes.tsx'
import { sessionQuery } from './session.ts'

const SignIn = lazy(async () => ({ default: (await import('./pages/sign-in.tsx')).SignIn }))
const FirstUser = lazy(async () => ({ default: (await import('./wizard/first-user.tsx')).FirstUser }))

export function App() {
  return (
    <PageRoot loaders={LOADERS} refusals={REFUSALS}>
      <Door />
    </PageRoot>
  )
}

function Door() {
  const { t } = useSpeech()
  const session = useQuery(sessionQuery)
  const [router] = useState(pageRouter)
  if (session.data?.state === 'setup') return <FirstUser />
  if (session.data?.state === 'signed-out') return <SignIn box={session.data.box.name} />
  if (session.data)
    return (
      <LiveProvider>
        <RouterProvider router={router} />
      </LiveProvider>
    )
  if (session.isPending) return <Loader className="centre" aria-label={t.common.loading} />
  return (
    <main className="alone">
      <Paper withBorder p="lg">
        <Stack>
          <h1>Ticketrail</h1>
          <Problem
            error={session.error instanceof ApiError ? session.error : new ApiError('internal', 0, { message: '' })}
          />
          <Button onClick={() => void session.refetch()}>{t.common.tryAgain}</Button>
        </Stack>
      </Paper>
    </main>
  )
}
