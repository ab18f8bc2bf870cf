// The interface of a check for alerts: which kinds it finds, how often it runs, and when the state cannot be determined.
import type { OpenAlert } from '#cloud/storage/alert-store.ts'
import type { AlertId } from '#shared/ids.ts'
import type { FoundAlert } from './alert-changes.ts'
import type { AlertKind } from './alert-kinds.ts'

export interface AlertLook {
  kinds: readonly AlertKind[]
  everyMinutes: number
  find: (nowMs: number) => Promise<Found>
  /** Of open alerts that were not found, those whose state cannot be determined now. Default: an alert that is not found has ended. */
  unknown?: (missing: readonly OpenAlert[]) => Promise<ReadonlySet<AlertId>>
}

export interface Found {
  alerts: FoundAlert[]
  /** False: there may be more, so nothing is over because it was not found. */
  isWhole: boolean
}
