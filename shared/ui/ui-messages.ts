// The words that the shared parts of a page say. The catalogue of each page holds them, and more.
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
