// The words of calls, voicemails and requests for a table, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const callsWords = pageWords({
  en: () => import('./receptionist-calls-en.ts'),
  es: () => import('./receptionist-calls-es.ts'),
  'zh-Hans': () => import('./receptionist-calls-zh-hans.ts'),
})
