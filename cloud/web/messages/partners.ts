// The words of the page of partners, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const partnersWords = pageWords({
  en: () => import('./partners-en.ts'),
  es: () => import('./partners-es.ts'),
  'zh-Hans': () => import('./partners-zh-hans.ts'),
})
