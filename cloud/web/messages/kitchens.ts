// The words of the page of kitchens, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const kitchensWords = pageWords({
  en: () => import('./kitchens-en.ts'),
  es: () => import('./kitchens-es.ts'),
  'zh-Hans': () => import('./kitchens-zh-hans.ts'),
})
