// The words of the receptionist's answers, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const knowledgeWords = pageWords({
  en: () => import('./receptionist-knowledge-en.ts'),
  es: () => import('./receptionist-knowledge-es.ts'),
  'zh-Hans': () => import('./receptionist-knowledge-zh-hans.ts'),
})
