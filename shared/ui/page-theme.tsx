// Colours, direction of writing and the words of components, around a whole page.
import { DirectionProvider, MantineProvider } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { languageFacts } from '#shared/languages.ts'
import { useSpeech } from './speech.tsx'
import { themeWith } from './theme.ts'

export function PageTheme({ children }: { children: ReactNode }) {
  const { t, language } = useSpeech()
  const { direction } = languageFacts(language)
  const theme = useMemo(() => themeWith({ close: t.common.close, showPassword: t.common.showPassword }), [t])
  return (
    // Another direction draws all anew: components look at it when they are first drawn.
    <DirectionProvider key={direction} initialDirection={direction} detectDirection={false}>
      <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
        {children}
      </MantineProvider>
    </DirectionProvider>
  )
}
