// The words of the page of usage and invoices, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const usageWords = pageWords({
  en: () => import('./usage-en.ts'),
  es: () => import('./usage-es.ts'),
  'zh-Hans': () => import('./usage-zh-hans.ts'),
})
