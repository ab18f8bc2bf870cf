// The words of this screen's language, for all components.
import { createContext, useContext } from 'react'
import { en, type Messages } from './en.ts'

export interface Words {
  m: Messages
  /** `language`: BCP 47. Times are the restaurant's. */
  time: (ms: number) => string
  number: (n: number) => string
}

export function wordsOf(m: Messages, language: string, timeZone: string): Words {
  const clock = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hour12: false, timeZone })
  const count = new Intl.NumberFormat(language)
  return { m, time: (ms) => clock.format(ms), number: (n) => count.format(n) }
}

/** English is part of the first view; the others are fetched by the screens that speak them. */
export async function messagesOf(language: string): Promise<Messages> {
  if (language.startsWith('es')) return (await import('./es.ts')).es
  if (language.startsWith('zh')) return (await import('./zh-hans.ts')).zhHans
  return en
}

export const WordsContext = createContext<Words>(wordsOf(en, 'en', 'UTC'))

export function useWords(): Words {
  return useContext(WordsContext)
}

/** Puts values into a message: `{name}`. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}
