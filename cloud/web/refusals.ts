// How the page calls the fields that a refusal of the relay names: as its forms do.
import type { RefusalNames } from '#shared/ui/problem-words.ts'
import type { Messages } from './messages/en.ts'

export const REFUSALS: RefusalNames<Messages> = {
  moreBehind: new Set(),
  labels: (t) => t.fields,
}
