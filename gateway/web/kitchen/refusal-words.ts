// Why an order could not be changed, in words.
import type { Snapshot } from './kitchen-model.ts'
import type { Messages } from './messages/en.ts'
import { fill } from './messages/words.tsx'

export function refusalWords({ number, reason }: NonNullable<Snapshot['refused']>, m: Messages): string {
  return fill(m.refusedReasons[reason ?? ''] ?? m.refused, { number })
}
