// The words of the page about oneself, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const meWords = pageWords({
  en: () => import('./me-en.ts'),
  es: () => import('./me-es.ts'),
  'zh-Hans': () => import('./me-zh-hans.ts'),
})
