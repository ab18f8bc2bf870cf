// The words of the workbench, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const workbenchWords = pageWords({
  en: () => import('./workbench-en.ts'),
  es: () => import('./workbench-es.ts'),
  'zh-Hans': () => import('./workbench-zh-hans.ts'),
})
