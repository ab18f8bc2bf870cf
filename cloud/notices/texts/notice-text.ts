// A notice in the language of its recipient. Pure.
import type { Notice, NoticeValues } from '#cloud/notices/notice-kinds.ts'
import { ENGLISH } from './en.ts'
import { SPANISH } from './es.ts'
import { type Letter, type NoticeText, written } from './letter.ts'
import type { NoticeWords } from './words.ts'
import { CHINESE } from './zh-hans.ts'

/** Languages that mail is written in; the others read English. */
const LANGUAGES: Readonly<Record<string, NoticeWords>> = { en: ENGLISH, es: SPANISH, 'zh-Hans': CHINESE }

/** @param language as in shared/languages.ts */
export function noticeText({ kind, values }: Notice, language: string): NoticeText {
  const { words, spoken } = wordsIn(language)
  // A notice holds the values of its kind: TypeScript cannot follow that through the union.
  const letter = words[kind] as (values: NoticeValues[typeof kind]) => Letter
  return written(letter(values), words.footer, spoken)
}

/** English for readers of an unsupported language. `spoken`: the language of the words. */
export function wordsIn(language: string): { words: NoticeWords; spoken: string } {
  const spoken = Object.hasOwn(LANGUAGES, language) ? language : 'en'
  return { words: LANGUAGES[spoken] ?? ENGLISH, spoken }
}
