// What every command of the operator's line works with: what operations work with, and the operator's files.
import type { RelayFiles } from '#cloud/backup/own-files.ts'
import { type ControlContext, type ControlDeps, openContext as openControl } from '#cloud/control/context.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Clock } from '#shared/clock.ts'
import type { AccountId } from '#shared/ids.ts'

export interface AdminDeps extends ControlDeps {
  /** Text of a file that the operator named. @throws LineError */
  readFile: (path: string) => Promise<string>
}

export type AdminContext = ControlContext & Pick<AdminDeps, 'readFile'>

export function openContext(deps: AdminDeps): AdminContext {
  return { ...openControl(deps), readFile: deps.readFile }
}

/** What commands need that work on the whole database by its place: a file, or a server. */
export interface FileContext extends RelayFiles {
  /** DATABASE_URL; null: the relay keeps everything in the file. */
  url: string | null
  /** The absolute path of a file, relative to the operator's working directory. */
  pathOf: (path: string) => string
  clock: Clock
  /** Null without CLOUD_MASTER_KEY. */
  secretBox: SecretBox | null
  /** The progress of the command, for a caller that waits for it. */
  tell: (line: string) => void
}

/** The operator's line, for an operation on this account, or on none. */
export function consoleAct(accountId: AccountId | null = null) {
  return { by: 'console', accountId } as const
}
