// The language of the page as the browser's own formats want it.
import { languageFacts } from '#shared/languages.ts'
import { useSpeech } from './speech.tsx'

/** Such as `en-US`. */
export function useLocale(): string {
  return languageFacts(useSpeech().language).locale
}
