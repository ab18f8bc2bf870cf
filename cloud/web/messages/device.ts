// The words of the page where a command line is approved, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const deviceWords = pageWords({
  en: () => import('./device-en.ts'),
  es: () => import('./device-es.ts'),
  'zh-Hans': () => import('./device-zh-hans.ts'),
})
