// What a look for alerts is: which kinds it finds, how often it looks, and when nothing can be said.
import type { OpenAlert } from '#cloud/storage/alert-store.ts'
import type { AlertId } from '#shared/ids.ts'
import type { FoundAlert } from './alert-changes.ts'
import type { AlertKind } from './alert-kinds.ts'

export interface AlertLook {
  kinds: readonly AlertKind[]
  everyMinutes: number
  find: (nowMs: number) => Promise<Found>
  /** Of open alerts that were not found, those of which nothing can be said now. Default: what is not found is over. */
  unknown?: (missing: readonly OpenAlert[]) => Promise<ReadonlySet<AlertId>>
}

export interface Found {
  alerts: FoundAlert[]
  /** False: there may be more, so nothing is over because it was not found. */
  isWhole: boolean
}
