// The words of the page Sandbox, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const sandboxWords = pageWords({
  en: () => import('./sandbox-en.ts'),
  es: () => import('./sandbox-es.ts'),
  'zh-Hans': () => import('./sandbox-zh-hans.ts'),
})
