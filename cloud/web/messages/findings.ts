// What boxes find wrong with themselves, in each language: the words of the box.
import { pageWords } from '#cloud/web/speech.tsx'
import type { FindingSentences } from '#shared/health-words.ts'

export const findingWords = pageWords<FindingSentences>({
  en: async () => ({ words: (await import('#shared/health-words.ts')).HEALTH_WORDS.sentences }),
  es: async () => ({ words: (await import('#shared/health-sentences-es.ts')).ES_SENTENCES }),
  'zh-Hans': async () => ({ words: (await import('#shared/health-sentences-zh-hans.ts')).ZH_HANS_SENTENCES }),
})
