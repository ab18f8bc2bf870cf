// The words of Webhooks, Endpoint, Delivery, Inspector and Events, in each language.
import { pageWords } from '#cloud/web/speech.tsx'

export const webhookWords = pageWords({
  en: () => import('./webhooks-en.ts'),
  es: () => import('./webhooks-es.ts'),
  'zh-Hans': () => import('./webhooks-zh-hans.ts'),
})
