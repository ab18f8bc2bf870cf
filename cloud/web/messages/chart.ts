// The words of charts, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const chartWords = pageWords({
  en: () => import('./chart-en.ts'),
  es: () => import('./chart-es.ts'),
  'zh-Hans': () => import('./chart-zh-hans.ts'),
})
