// The words of the page of settings, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const settingsWords = pageWords({
  en: () => import('./settings-en.ts'),
  es: () => import('./settings-es.ts'),
  'zh-Hans': () => import('./settings-zh-hans.ts'),
})
