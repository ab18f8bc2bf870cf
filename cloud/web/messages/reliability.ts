// The words of the page of reliability, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const reliabilityWords = pageWords({
  en: () => import('./reliability-en.ts'),
  es: () => import('./reliability-es.ts'),
  'zh-Hans': () => import('./reliability-zh-hans.ts'),
})
