// The language of the page: one is loaded at a time, chosen by the person, else by the box or the browser.
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { remember, remembered } from '#shared/ui/browser.ts'
import { type Formats, formatsFor, isLanguage, type LanguageId, languageFor } from '#shared/ui/languages.ts'
import type { Messages } from './messages/en.ts'

const LOADERS: Readonly<Record<LanguageId, () => Promise<Messages>>> = {
  en: async () => (await import('./messages/en.ts')).en,
  es: async () => (await import('./messages/es.ts')).es,
  'zh-Hans': async () => (await import('./messages/zh-hans.ts')).zhHans,
}
const KEY = 'ticketrail.language'

export interface Speech {
  language: LanguageId
  setLanguage: (language: LanguageId) => void
  t: Messages
  formats: Formats
  /** Of the restaurant: times are shown as its clocks do. Empty: the browser's. */
  setTimeZone: (zone: string) => void
}

const SpeechContext = createContext<Speech | null>(null)

export function SpeechProvider({ children }: { children: ReactNode }) {
  const [timeZone, setTimeZone] = useState('')
  const [language, setLanguage] = useState<LanguageId>(firstLanguage)
  const [loaded, setLoaded] = useState<{ language: LanguageId; t: Messages } | null>(null)
  useEffect(() => {
    let isWanted = true
    void LOADERS[language]().then((t) => {
      if (isWanted) setLoaded({ language, t })
    })
    return () => {
      isWanted = false
    }
  }, [language])
  const speech = useMemo(() => {
    if (!loaded) return null
    const change = (next: LanguageId) => {
      remember(KEY, next)
      setLanguage(next)
    }
    return { ...loaded, setLanguage: change, setTimeZone, formats: formatsFor(loaded.language, timeZone) }
  }, [loaded, timeZone])
  useEffect(() => {
    if (speech) document.documentElement.lang = speech.language
  }, [speech])
  return speech && <SpeechContext.Provider value={speech}>{children}</SpeechContext.Provider>
}

function firstLanguage(): LanguageId {
  const chosen = remembered(KEY)
  return isLanguage(chosen) ? chosen : languageFor(navigator.languages)
}

/** Words, formats and the choice of language. */
export function useSpeech(): Speech {
  const speech = useContext(SpeechContext)
  if (!speech) throw new Error('useSpeech outside of its provider')
  return speech
}
