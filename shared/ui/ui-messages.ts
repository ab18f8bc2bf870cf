// The texts of the shared parts of a page. The catalogue of each page includes them.
import type { RefusalMessages } from './problem-words.ts'

export interface UiMessages {
  refusals: RefusalMessages
  problem: { title: string }
  common: { cancel: string; close: string; notFound: string; showPassword: string }
  settings: {
    language: string
    passwordHint: (letters: number) => string
  }
}
