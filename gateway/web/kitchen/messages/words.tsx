// The words of this screen's language, for all components.
import { createContext, useContext } from 'react'
import { en, type Messages } from './en.ts'
import { es } from './es.ts'
import { zhHans } from './zh-hans.ts'

export interface Words {
  m: Messages
  /** `language`: BCP 47. Times are the restaurant's. */
  time: (ms: number) => string
  number: (n: number) => string
}

export function wordsOf(language: string, timeZone: string): Words {
  const m = language.startsWith('es') ? es : language.startsWith('zh') ? zhHans : en
  const clock = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hour12: false, timeZone })
  const count = new Intl.NumberFormat(language)
  return { m, time: (ms) => clock.format(ms), number: (n) => count.format(n) }
}

export const WordsContext = createContext<Words>(wordsOf('en', 'UTC'))

export function useWords(): Words {
  return useContext(WordsContext)
}

/** Puts values into a message: `{name}`. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}
