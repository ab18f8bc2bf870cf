// What every command of the operator's line works with: the relay's own database and stores, and the audit log.
import type { RelayFiles } from '#cloud/backup/own-files.ts'
import { AuditStore, recordAudit } from '#cloud/storage/audit-store.ts'
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import { GrantStore } from '#cloud/storage/grant-store.ts'
import { openStores, type Stores } from '#cloud/storage/stores.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { TargetGuard } from '#cloud/webhooks/target-guard.ts'
import type { Clock } from '#shared/clock.ts'
import type { AccountId } from '#shared/ids.ts'

export interface AdminDeps {
  db: RelayDatabase
  /** The running relay's own, so that whoever waits for a change hears of it at once; default: made anew. */
  stores?: Stores
  clock: Clock
  /** Null without CLOUD_MASTER_KEY: only commands that seal a secret need it. */
  secretBox: SecretBox | null
  guard: TargetGuard
  /** An external broker keeps its own list of passwords, one per gateway. */
  brokerHasOwnList?: boolean
  /** Text of a file that the operator named. @throws AdminError */
  readFile: (path: string) => Promise<string>
}

/** What commands need that work on the whole database by its place: a file, or a server. */
export interface FileContext extends RelayFiles {
  /** DATABASE_URL; null: the relay keeps everything in the file. */
  url: string | null
  /** The absolute path of a file that the operator named from where he stands. */
  pathOf: (path: string) => string
  clock: Clock
  /** Null without CLOUD_MASTER_KEY. */
  secretBox: SecretBox | null
  /** How far the command has come, for who waits for it. */
  tell: (line: string) => void
}

export type AdminContext = ReturnType<typeof openContext>

export function openContext(deps: AdminDeps) {
  const { db, stores = openStores(db) } = deps
  return { ...deps, ...stores, audit: new AuditStore(db), grants: new GrantStore(db) }
}

export interface AuditEntry {
  accountId: AccountId | null
  /** Such as `key.rotate`. */
  action: string
  /** Id of what was changed. */
  subject: string
  /** Without secrets. */
  before?: unknown
  after?: unknown
}

/** What of an address may stand in the audit log: its path and query may be a secret of the platform's. */
export function siteOf(url: string): string {
  return URL.parse(url)?.origin ?? ''
}

/** Writes a change down in the unit that makes it. */
export function audited(tx: Tx, { clock }: Pick<AdminContext, 'clock'>, entry: AuditEntry): Promise<void> {
  return recordAudit(tx, {
    at: clock.now(),
    actor: 'cli',
    account_id: entry.accountId,
    action: entry.action,
    subject: entry.subject,
    before: jsonOf(entry.before),
    after: jsonOf(entry.after),
  })
}

function jsonOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
