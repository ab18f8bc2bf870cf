// The words of the first page, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const homeWords = pageWords({
  en: () => import('./home-en.ts'),
  es: () => import('./home-es.ts'),
  'zh-Hans': () => import('./home-zh-hans.ts'),
})
