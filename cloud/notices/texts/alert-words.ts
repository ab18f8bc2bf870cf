// The sentences about an alert in a language. One function, so that the type of its values follows from its kind.
import type { AlertFact, AlertValues } from '#cloud/notices/alert-kinds.ts'
import type { AlertWords, NoticeWords } from './words.ts'

export function alertWords(alerts: NoticeWords['alerts'], { kind, values }: AlertFact): AlertWords {
  // The fact holds the values of its kind: TypeScript cannot follow that through the union.
  const words = alerts[kind] as (values: AlertValues[typeof kind]) => AlertWords
  return words(values)
}
