// The words of the operator's outbox, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const outboxWords = pageWords({
  en: () => import('./outbox-en.ts'),
  es: () => import('./outbox-es.ts'),
  'zh-Hans': () => import('./outbox-zh-hans.ts'),
})
