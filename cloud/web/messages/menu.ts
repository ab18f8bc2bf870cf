// The words of the page of the menu, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const menuWords = pageWords({
  en: () => import('./menu-en.ts'),
  es: () => import('./menu-es.ts'),
  'zh-Hans': () => import('./menu-zh-hans.ts'),
})
