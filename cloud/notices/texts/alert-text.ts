// The words of an alert on a page: the same as in mail.
import type { AlertFact } from '#cloud/notices/alert-kinds.ts'
import { alertWords } from './alert-words.ts'
import { wordsIn } from './notice-text.ts'
import type { AlertWords } from './words.ts'

/** @param language as in shared/languages.ts */
export function alertText(fact: AlertFact, language: string): AlertWords {
  return alertWords(wordsIn(language).words.alerts, fact)
}
