// What a language has to say for mail: one function for each kind of notice and each kind of alert. A missing one does not compile.
import type { AlertKind, AlertValues } from '#cloud/notices/alert-kinds.ts'
import type { NoticeKind, NoticeValues } from '#cloud/notices/notice-kinds.ts'
import type { Letter } from './letter.ts'

/** `title`: one line, without a full stop, that can stand in a subject. `act`: what to do. */
export interface AlertWords {
  title: string
  act: string
}

export type NoticeWords = { readonly [K in NoticeKind]: (values: NoticeValues[K]) => Letter } & {
  readonly alerts: { readonly [K in AlertKind]: (values: AlertValues[K]) => AlertWords }
  /** At the end of every mail. */
  readonly footer: string
}
