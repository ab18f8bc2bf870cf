// The words of the page that leads to the first order, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const quickStartWords = pageWords({
  en: () => import('./quick-start-en.ts'),
  es: () => import('./quick-start-es.ts'),
  'zh-Hans': () => import('./quick-start-zh-hans.ts'),
})
