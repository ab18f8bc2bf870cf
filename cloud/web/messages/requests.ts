// The words of Requests, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const requestWords = pageWords({
  en: () => import('./requests-en.ts'),
  es: () => import('./requests-es.ts'),
  'zh-Hans': () => import('./requests-zh-hans.ts'),
})
