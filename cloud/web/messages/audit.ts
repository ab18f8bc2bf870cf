// The words of the audit page, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const auditWords = pageWords({
  en: () => import('./audit-en.ts'),
  es: () => import('./audit-es.ts'),
  'zh-Hans': () => import('./audit-zh-hans.ts'),
})
