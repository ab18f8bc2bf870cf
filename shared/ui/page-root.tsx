// The root of every page: data, language, colours and notices.

import { DirectionProvider, MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { languageFacts } from '#shared/languages.ts'
import { ApiError } from './api.ts'
import { NoticeProvider } from './parts/notices.tsx'
import { type SpeechProps, SpeechProvider, useSpeech } from './speech.tsx'
import { themeWith } from './theme.ts'
import type { UiMessages } from './ui-messages.ts'

export function PageRoot<M extends UiMessages>({ children, ...speech }: SpeechProps<M>) {
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: {
            staleTime: 5_000,
            // A refusal is final; an unreachable server is tried once more.
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

// Colours, writing direction and the texts of components, for a whole page.
function PageTheme({ children }: { children: ReactNode }) {
  const { t, language } = useSpeech()
  const { direction } = languageFacts(language)
  const theme = useMemo(() => themeWith({ close: t.common.close, showPassword: t.common.showPassword }), [t])
  return (
    // Keyed, because components read the direction only on their first render.
    <DirectionProvider key={direction} initialDirection={direction} detectDirection={false}>
      <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
        {children}
      </MantineProvider>
    </DirectionProvider>
  )
}
