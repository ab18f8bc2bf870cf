// What every command of the operator's line works with: the relay's own database and stores, and the audit log.
import { AccountStore } from '#cloud/storage/account-store.ts'
import { ApiKeyStore } from '#cloud/storage/api-key-store.ts'
import { AuditStore, recordAudit } from '#cloud/storage/audit-store.ts'
import { CatalogStore } from '#cloud/storage/catalog-store.ts'
import { ChannelStore } from '#cloud/storage/channel-store.ts'
import { ClaimStore } from '#cloud/storage/claim-store.ts'
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import { DeliveryStore } from '#cloud/storage/delivery-store.ts'
import { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import { GatewayCredentialStore } from '#cloud/storage/gateway-credential-store.ts'
import { GatewayListStore } from '#cloud/storage/gateway-list-store.ts'
import { GatewayStore } from '#cloud/storage/gateway-store.ts'
import { GrantStore } from '#cloud/storage/grant-store.ts'
import { InvoiceStore } from '#cloud/storage/invoice-store.ts'
import { LocationStore } from '#cloud/storage/location-store.ts'
import { MerchantStore } from '#cloud/storage/merchant-store.ts'
import { UsageStore } from '#cloud/storage/usage-store.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { TargetGuard } from '#cloud/webhooks/target-guard.ts'
import type { Clock } from '#shared/clock.ts'
import type { AccountId } from '#shared/ids.ts'

export interface AdminDeps {
  db: RelayDatabase
  clock: Clock
  /** Null without CLOUD_MASTER_KEY: only commands that seal a secret need it. */
  secretBox: SecretBox | null
  guard: TargetGuard
  /** An external broker keeps its own list of passwords, one a gateway. */
  brokerHasOwnList?: boolean
  /** Text of a file that the operator named. */
  readFile: (path: string) => Promise<string>
}

export type AdminContext = ReturnType<typeof openContext>

export function openContext(deps: AdminDeps) {
  const { db } = deps
  return {
    ...deps,
    accounts: new AccountStore(db),
    apiKeys: new ApiKeyStore(db),
    audit: new AuditStore(db),
    catalog: new CatalogStore(db),
    channels: new ChannelStore(db),
    claims: new ClaimStore(db),
    credentials: new GatewayCredentialStore(db),
    deliveries: new DeliveryStore(db),
    dispatches: new DispatchStore(db),
    gatewayList: new GatewayListStore(db),
    gateways: new GatewayStore(db),
    grants: new GrantStore(db),
    invoices: new InvoiceStore(db),
    locations: new LocationStore(db),
    merchants: new MerchantStore(db),
    usage: new UsageStore(db),
  }
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
