// What stands around everything on a page: its data, language, colours and notices.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { ApiError } from './api.ts'
import { PageTheme } from './page-theme.tsx'
import { NoticeProvider } from './parts/notices.tsx'
import { type SpeechProps, SpeechProvider } from './speech.tsx'
import type { UiMessages } from './ui-messages.ts'

export function PageRoot<M extends UiMessages>({ children, ...speech }: SpeechProps<M>) {
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: {
            staleTime: 5_000,
            // What was refused is refused again; a server that was away is asked once more.
            retry: (count, error) => count < 2 && error instanceof ApiError && error.code === 'unreachable',
          },
        },
      }),
  )
  return (
    <QueryClientProvider client={queries}>
      <SpeechProvider {...speech}>
        <PageTheme>
          <NoticeProvider>
            <Suspense fallback={null}>{children}</Suspense>
          </NoticeProvider>
        </PageTheme>
      </SpeechProvider>
    </QueryClientProvider>
  )
}
