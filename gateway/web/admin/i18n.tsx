// The languages of the technician's page.
import { type Speech as AnySpeech, type SpeechLoaders, useSpeech as useAnySpeech } from '#shared/ui/speech.tsx'
import type { Messages } from './messages/en.ts'

export type Speech = AnySpeech<Messages>

/** Of every language; the tests walk it. */
export const LOADERS: SpeechLoaders<Messages> = {
  en: async () => (await import('./messages/en.ts')).en,
  es: async () => (await import('./messages/es.ts')).es,
  de: async () => (await import('./messages/de.ts')).de,
  fr: async () => (await import('./messages/fr.ts')).fr,
  'zh-Hans': async () => (await import('./messages/zh-hans.ts')).zhHans,
  ar: async () => (await import('./messages/ar.ts')).ar,
}

/** Words, formats and the choice of language. */
export const useSpeech = (): Speech => useAnySpeech<Messages>()
