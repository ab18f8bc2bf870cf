// What every operation works with: the relay's own database and stores, and the audit log.
import type { Environment } from '#cloud/auth/scopes.ts'
import type { Plan } from '#cloud/billing/plans.ts'
import type { TellCustomer } from '#cloud/orders/advance-order.ts'
import type { FirstTries } from '#cloud/orders/first-try.ts'
import type { PeopleParts } from '#cloud/people/parts.ts'
import type { Site } from '#cloud/people/site.ts'
import type { MediaStore } from '#cloud/receptionist/media-store.ts'
import type { RequestLog } from '#cloud/requests/request-log.ts'
import type { AuditAction } from '#cloud/storage/audit-actions.ts'
import { AuditStore, recordAudit } from '#cloud/storage/audit-store.ts'
import { AuditSubjectStore } from '#cloud/storage/audit-subject-store.ts'
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import { GrantStore } from '#cloud/storage/grant-store.ts'
import { openStores, type Stores } from '#cloud/storage/stores.ts'
import type { SimulatorPhone } from '#cloud/telephony/simulated/simulator-phone.ts'
import type { Telephones } from '#cloud/telephony/telephones.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { TargetGuard } from '#cloud/webhooks/target-guard.ts'
import type { Clock } from '#shared/clock.ts'
import type { AccountId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import type { TextRaster } from '#shared/tickets/text-raster.ts'
import { type Act, actorOf } from './act.ts'

export interface ControlDeps {
  db: RelayDatabase
  /** The running relay's own, so that subscribers to a change are notified at once; default: created here. */
  stores?: Stores
  clock: Clock
  /** Null without CLOUD_MASTER_KEY: only commands that seal a secret need it. */
  secretBox: SecretBox | null
  guard: TargetGuard
  /** An external broker keeps its own list of passwords, one per gateway. */
  brokerHasOwnList?: boolean
  /** Where the dashboard is, for links to it; absent: at the usual address on this machine. */
  site?: () => Site
  /** Absent: no customer is told anything when an order is ready. */
  tellCustomer?: TellCustomer
  /** Codes of the countries that text messages may go to; the first is that of numbers without one. Absent: `+1`. */
  countries?: readonly string[]
  /** Absent: mail stays in the outbox, where the operator reads it. */
  sendsMail?: boolean
  /** What only a running relay has; null: the operator's line works on the database alone. */
  running?: Running | null
}

/** Parts of the running relay that operations of the dashboard need. */
export interface Running {
  log: Logger
  /** What sign-in works with. */
  people?: PeopleParts
  /** Writes down the calls that were counted so far. */
  meter?: { flush(): Promise<void> }
  /** Calls that an account may make at once now, at all relays together; null: none of them was counted yet, so all. */
  rateLimits?: { left(of: { accountId: AccountId; environment: Environment; plan: Plan }): Promise<number | null> }
  /** Injects of this relay that wait for an outside point of sale. */
  firstTries: FirstTries
  /** Draws what a printer has no characters for; null: such characters are transliterated. */
  raster: TextRaster | null
  /** What this relay was called and answered; null or absent: nothing is kept. */
  requests?: RequestLog | null
  /** Calls this relay's own API, past the network; absent in tests of other things. */
  callApi?: CallApi
  /** The telephone companies of this relay; absent in tests of other things. */
  telephones?: Telephones
  /** For trying calls: it sends hooks to this relay, past the network. */
  phone?: SimulatorPhone
  /** How fast an account may try calls; absent as above. */
  simulatedActs?: { take(account: AccountId): { ok: boolean; retryAfterSeconds: number } }
  /** Recordings on the disk; absent as above. */
  media?: Pick<MediaStore, 'read' | 'delete'>
  /** Codes such as `+1`: CLOUD_SMS_COUNTRIES; absent: as the setting's default. */
  countries?: readonly string[]
  /** Under which telephone companies reach this relay. */
  receptionistUrl?: () => string
}

export type CallApi = (call: {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  apiKey: string
  /** JSON; null: none. */
  body: string | null
}) => Promise<{ status: number; requestId: string; text: string }>

export type ControlContext = ReturnType<typeof openContext>

export function openContext(deps: ControlDeps) {
  const { db, stores = openStores(db) } = deps
  // What the caller gives by name counts: among the parts of a relay there is a guard too.
  return {
    ...stores,
    ...deps,
    audit: new AuditStore(db),
    auditSubjects: new AuditSubjectStore(db),
    grants: new GrantStore(db),
  }
}

export interface AuditEntry {
  accountId: AccountId | null
  /** Such as `key.rotate`. */
  action: AuditAction
  /** Id of what was changed. */
  subject: string
  /** Without secrets. */
  before?: unknown
  after?: unknown
}

/** The part of a URL that the audit log may contain: path and query may be a secret of the platform. */
export function urlOrigin(url: string): string {
  return URL.parse(url)?.origin ?? ''
}

/** Records a change with its author, in the transaction that makes it. */
export function audited(
  tx: Tx,
  { clock }: Pick<ControlContext, 'clock'>,
  { act, ...entry }: AuditEntry & { act: Act },
): Promise<void> {
  return recordAudit(tx, {
    at: clock.now(),
    ...actorOf(act),
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
