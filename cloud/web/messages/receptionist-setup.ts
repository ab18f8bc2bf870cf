// The words of the receptionist's setup, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const setupWords = pageWords({
  en: () => import('./receptionist-setup-en.ts'),
  es: () => import('./receptionist-setup-es.ts'),
  'zh-Hans': () => import('./receptionist-setup-zh-hans.ts'),
})
