// The texts in this display's language, for all components.
import { createContext, useContext } from 'react'
import { type LanguageId, languageFacts } from '#shared/languages.ts'
import { dayClock } from '#shared/ui/day-clock.ts'
import { isFromTheRight, isolated } from '#shared/ui/isolation.ts'
import { en, type Messages } from './en.ts'

export interface Words {
  m: Messages
  /** `language`: BCP 47. Times are in the restaurant's zone. */
  time: (ms: number) => string
  number: (n: number) => string
}

export function wordsOf(m: Messages, language: string, timeZone: string): Words {
  const { locale } = languageFacts(language)
  const clock = dayClock(locale, { hour: '2-digit', minute: '2-digit', timeZone })
  const count = new Intl.NumberFormat(locale)
  return {
    m,
    time: (ms) => clock.format(ms),
    number: (n) => count.format(n),
  }
}

/** English is part of the initial bundle; displays load other languages when needed. */
const LOADERS: Readonly<Record<LanguageId, () => Promise<Messages>>> = {
  en: async () => en,
  es: async () => (await import('./es.ts')).es,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  'zh-Hans': async () => (await import('./zh-hans.ts')).zhHans,
  ar: async () => (await import('./ar.ts')).ar,
}

/** English for an unsupported language. */
export function messagesOf(language: string): Promise<Messages> {
  return LOADERS[languageFacts(language).id]()
}

export const WordsContext = createContext<Words>(wordsOf(en, 'en', 'UTC'))

export function useWords(): Words {
  return useContext(WordsContext)
}

/** Fills values into a message: `{name}`. Each value is isolated, so that it does not reorder the text. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  const isRtl = isFromTheRight(text)
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return value === undefined ? whole : isolated(value, isRtl)
  })
}
