// The language of a page: one is loaded at a time, chosen by the person, else by the browser.
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { isLanguage, type LanguageId, languageFacts, languageFor } from '#shared/languages.ts'
import { remember, remembered } from './browser.ts'
import { withIsolation } from './isolation.ts'
import { type Formats, formatsFor } from './languages.ts'
import type { RefusalNames } from './problem-words.ts'
import type { UiMessages } from './ui-messages.ts'

/** Each language's catalogue: loaded when it is chosen. */
export type SpeechLoaders<M extends UiMessages> = Readonly<Record<LanguageId, () => Promise<M>>>
const KEY = 'ticketrail.language'

export interface Speech<M extends UiMessages> {
  language: LanguageId
  setLanguage: (language: LanguageId) => void
  t: M
  /** What the page calls the fields that a refusal names. */
  refusals: RefusalNames<M>
  formats: Formats
  /** Of the restaurant: times are shown as its clocks do. Empty: the browser's. */
  setTimeZone: (zone: string) => void
}

const SpeechContext = createContext<Speech<UiMessages> | null>(null)

/** @param loaders and refusals: the same at each drawing */
export function SpeechProvider<M extends UiMessages>({
  loaders,
  refusals,
  children,
}: {
  loaders: SpeechLoaders<M>
  refusals: RefusalNames<M>
  children: ReactNode
}) {
  const [timeZone, setTimeZone] = useState('')
  const [language, setLanguage] = useState<LanguageId>(firstLanguage)
  const [loaded, setLoaded] = useState<{ language: LanguageId; t: M } | null>(null)
  useEffect(() => {
    let isWanted = true
    void loaders[language]().then((words) => {
      const t = withIsolation(words, languageFacts(language).direction === 'rtl')
      if (isWanted) setLoaded({ language, t })
    })
    return () => {
      isWanted = false
    }
  }, [language, loaders])
  const speech = useMemo((): Speech<M> | null => {
    if (!loaded) return null
    const change = (next: LanguageId) => {
      remember(KEY, next)
      setLanguage(next)
    }
    return { ...loaded, refusals, setLanguage: change, setTimeZone, formats: formatsFor(loaded.language, timeZone) }
  }, [loaded, refusals, timeZone])
  useEffect(() => {
    if (!loaded) return
    document.documentElement.lang = loaded.language
    document.documentElement.dir = languageFacts(loaded.language).direction
  }, [loaded])
  return (
    speech && (
      <SpeechContext.Provider value={speech as unknown as Speech<UiMessages>}>{children}</SpeechContext.Provider>
    )
  )
}

function firstLanguage(): LanguageId {
  const chosen = remembered(KEY)
  return isLanguage(chosen) ? chosen : languageFor(navigator.languages)
}

/** Words, formats and the choice of language. A page names the type of its own catalogue. */
export function useSpeech<M extends UiMessages = UiMessages>(): Speech<M> {
  const speech = useContext(SpeechContext)
  if (!speech) throw new Error('useSpeech outside of its provider')
  return speech as unknown as Speech<M>
}
