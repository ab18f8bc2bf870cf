// The messages of the operator's pages, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const operatorWords = pageWords({
  en: () => import('./operator-en.ts'),
  es: () => import('./operator-es.ts'),
  'zh-Hans': () => import('./operator-zh-hans.ts'),
})
