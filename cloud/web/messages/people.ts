// The words of the page of people, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const peopleWords = pageWords({
  en: () => import('./people-en.ts'),
  es: () => import('./people-es.ts'),
  'zh-Hans': () => import('./people-zh-hans.ts'),
})
