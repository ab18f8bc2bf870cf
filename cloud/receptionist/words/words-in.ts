// The words of each language.
import type { SpokenLanguage } from '#cloud/receptionist/profile.ts'
import { EN } from './en.ts'
import { ES } from './es.ts'
import type { SpokenWords } from './spoken-words.ts'

const LANGUAGES: Readonly<Record<SpokenLanguage, SpokenWords>> = { en: EN, es: ES }

export function wordsIn(language: SpokenLanguage): SpokenWords {
  return LANGUAGES[language]
}
