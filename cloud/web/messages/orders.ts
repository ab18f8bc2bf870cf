// The words of the pages Orders and Order, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const ordersWords = pageWords({
  en: () => import('./orders-en.ts'),
  es: () => import('./orders-es.ts'),
  'zh-Hans': () => import('./orders-zh-hans.ts'),
})
