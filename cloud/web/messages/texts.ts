// The words of text messages, and of numbers that get none, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const textsWords = pageWords({
  en: () => import('./texts-en.ts'),
  es: () => import('./texts-es.ts'),
  'zh-Hans': () => import('./texts-zh-hans.ts'),
})
