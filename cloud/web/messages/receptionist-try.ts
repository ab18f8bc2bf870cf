// The words of the telephone in the page, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const tryWords = pageWords({
  en: () => import('./receptionist-try-en.ts'),
  es: () => import('./receptionist-try-es.ts'),
  'zh-Hans': () => import('./receptionist-try-zh-hans.ts'),
})
