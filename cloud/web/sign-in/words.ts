// The words of the door, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const doorWords = pageWords({
  en: () => import('#cloud/web/messages/door-en.ts'),
  es: () => import('#cloud/web/messages/door-es.ts'),
  'zh-Hans': () => import('#cloud/web/messages/door-zh-hans.ts'),
})
