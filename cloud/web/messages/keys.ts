// The words of the page of API keys, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const keysWords = pageWords({
  en: () => import('./keys-en.ts'),
  es: () => import('./keys-es.ts'),
  'zh-Hans': () => import('./keys-zh-hans.ts'),
})
