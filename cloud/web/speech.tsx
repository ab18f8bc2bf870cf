// The languages of the dashboard: the frame's words come first, those of each page with the page.
import { use } from 'react'
import { type LanguageId, languageFacts } from '#shared/languages.ts'
import { withIsolation } from '#shared/ui/isolation.ts'
import { type Speech as AnySpeech, type SpeechLoaders, useSpeech as useAnySpeech } from '#shared/ui/speech.tsx'
import type { Messages } from './messages/en.ts'

/** Complete, all of them. The other languages of the box are not offered here. */
type Spoken = 'en' | 'es' | 'zh-Hans'
export type Speech = AnySpeech<Messages>

/** Of every language; the tests walk it. */
export const LOADERS: SpeechLoaders<Messages, Spoken> = {
  en: async () => (await import('./messages/en.ts')).en,
  es: async () => (await import('./messages/es.ts')).es,
  'zh-Hans': async () => (await import('./messages/zh-hans.ts')).zhHans,
}

/** The frame's words, formats and the choice of language. */
export const useSpeech = (): Speech => useAnySpeech<Messages>()

/** The words of one page, or of a part that several share: each language is a file of its own, loaded once. */
export interface PageWords<M> {
  in(language: LanguageId): Promise<M>
}

/** @param loaders each language's file exports `words`; the type of the English ones is that of all */
export function pageWords<M>(loaders: Readonly<Record<Spoken, () => Promise<{ words: M }>>>): PageWords<M> {
  const loaded = new Map<Spoken, Promise<M>>()
  return {
    in(language) {
      const spoken = Object.hasOwn(loaders, language) ? (language as Spoken) : 'en'
      const known = loaded.get(spoken)
      if (known !== undefined) return known
      const words = loaders[spoken]().then(({ words }) => withIsolation(words, false))
      loaded.set(spoken, words)
      // What failed to load is asked for again.
      words.catch(() => loaded.delete(spoken))
      return words
    },
  }
}

/** Messages of the page, beside the frame's own `t`. The page waits for them as it waits for its code. */
export function usePageWords<M>(words: PageWords<M>): M {
  const { language } = useSpeech()
  return use(words.in(language))
}

/** Asks for the words before the page is there, so that both come at once. */
export function preloadWords(words: PageWords<unknown>): void {
  void words.in(languageFacts(document.documentElement.lang).id).catch(() => undefined)
}
