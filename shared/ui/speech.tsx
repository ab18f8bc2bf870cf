// The language of a page, chosen by the user or by the browser. Only one catalogue is loaded at a time.
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { LANGUAGES, type LanguageId, languageFacts, languageFor } from '#shared/languages.ts'
import { remember, remembered } from './browser.ts'
import { withIsolation } from './isolation.ts'
import { type Formats, formatsFor } from './languages.ts'
import type { RefusalNames } from './problem-words.ts'
import type { UiMessages } from './ui-messages.ts'

/** The catalogue of each language, loaded when it is selected. @typeParam L the languages of the page */
export type SpeechLoaders<M extends UiMessages, L extends LanguageId = LanguageId> = Readonly<
  Record<L, () => Promise<M>>
>
/** English is always included. */
type AnyLoaders<M extends UiMessages> = SpeechLoaders<M, 'en'> & Partial<SpeechLoaders<M>>
const KEY = 'ticketrail.language'

export interface Speech<M extends UiMessages> {
  language: LanguageId
  setLanguage: (language: LanguageId) => void
  /** The languages of the page. */
  languages: readonly { id: LanguageId; name: string }[]
  t: M
  /** The page's labels of the fields that a refusal names. */
  refusals: RefusalNames<M>
  formats: Formats
  /** Time zone of the restaurant, in which times are shown. Empty: that of the browser. */
  setTimeZone: (zone: string) => void
}

const SpeechContext = createContext<Speech<UiMessages> | null>(null)

export interface SpeechProps<M extends UiMessages> {
  /** Must be the same object on each render, and `refusals` too. */
  loaders: AnyLoaders<M>
  refusals: RefusalNames<M>
  children: ReactNode
}

export function SpeechProvider<M extends UiMessages>({ loaders, refusals, children }: SpeechProps<M>) {
  const [timeZone, setTimeZone] = useState('')
  const [languages] = useState(() => LANGUAGES.filter(({ id }) => loaders[id]))
  const [language, setLanguage] = useState(() => firstLanguage(languages))
  const [loaded, setLoaded] = useState<{ language: LanguageId; t: M } | null>(null)
  useEffect(() => {
    let isWanted = true
    void loaders[language]?.().then((words) => {
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
    const formats = formatsFor(loaded.language, timeZone)
    return { ...loaded, languages, refusals, setLanguage: change, setTimeZone, formats }
  }, [languages, loaded, refusals, timeZone])
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

function firstLanguage(languages: Speech<UiMessages>['languages']): LanguageId {
  const chosen = remembered(KEY)
  return languages.find(({ id }) => id === chosen)?.id ?? languageFor(navigator.languages, languages)
}

/** Texts, formats and the choice of language. `M`: the type of the page's catalogue. */
export function useSpeech<M extends UiMessages = UiMessages>(): Speech<M> {
  const speech = useContext(SpeechContext)
  if (!speech) throw new Error('useSpeech outside of its provider')
  return speech as unknown as Speech<M>
}
