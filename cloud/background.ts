// Background services of the relay, and the services that coordinate it with other relays on its database.
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { ResvgRaster } from '#shared/raster/resvg-raster.ts'
import type { Service } from '#shared/service.ts'
import { IssueInvoices } from './billing/issue-invoices.ts'
import type { UsageMeter } from './billing/usage-meter.ts'
import { RestoreDue } from './catalog/restore-due.ts'
import type { RelayCertificates } from './certificate/relay-certificates.ts'
import type { CloudConfig } from './config.ts'
import { orderRetentionOf, voiceRetentionOf } from './config-parts.ts'
import { metricsServices } from './figures.ts'
import type { TrustedProxies } from './limits/trusted-proxies.ts'
import { FillSlices } from './metrics/fill-slices.ts'
import type { RelayMetrics } from './metrics/relay-metrics.ts'
import { AlertWatch } from './notices/alert-watch.ts'
import { invoiceMail } from './notices/invoice-mail.ts'
import { MAIL_RETRY_SECONDS } from './notices/mail-worker.ts'
import type { TellCustomer } from './orders/advance-order.ts'
import { FireDue } from './orders/fire-due.ts'
import type { FirstTries } from './orders/first-try.ts'
import { ForgetCustomers } from './orders/forget-customers.ts'
import type { OrderTraces } from './orders/order-traces.ts'
import type { PosAdapters } from './orders/pos-adapter.ts'
import { outgoingServices } from './outgoing.ts'
import { ForgetCalls } from './receptionist/forget-calls.ts'
import type { HookSinks } from './receptionist/hook-sinks.ts'
import type { OrderTaker } from './receptionist/order-taker.ts'
import { QuietCalls } from './receptionist/quiet-calls.ts'
import type { ReceptionistDeps } from './receptionist/receptionist.ts'
import { VOICEMAIL_RETRY_SECONDS } from './receptionist/voicemail-worker.ts'
import { WireNumbers } from './receptionist/wire-numbers.ts'
import { mediaOf, voicemailWorker } from './recording-parts.ts'
import type { RecordResult } from './relay/gateway-reports.ts'
import type { MosquittoAccess } from './relay/mosquitto-access.ts'
import type { Relay } from './relay/relay.ts'
import type { SessionIndex } from './relay/session-index.ts'
import { Leased, type LeaseName, type Replica } from './replica/replica.ts'
import { ShardLeases } from './replica/shard-leases.ts'
import { WakeUps } from './replica/wake-ups.ts'
import type { RequestLog } from './requests/request-log.ts'
import { DeletionClock } from './retention/deletion-clock.ts'
import { ForgetExpired } from './retention/forget-expired.ts'
import { ForgetOrders } from './retention/forget-orders.ts'
import { Sandbox } from './sandbox/sandbox.ts'
import type { RelayDatabase } from './storage/database.ts'
import type { Stores } from './storage/stores.ts'
import type { Telephones } from './telephony/telephones.ts'
import { TEXT_RETRY_SECONDS } from './texts/text-worker.ts'
import { ForgetWebhooks } from './webhooks/forget-webhooks.ts'
import { Recoveries } from './webhooks/recoveries.ts'
import type { SecretBox } from './webhooks/secret-box.ts'
import type { TargetGuard } from './webhooks/target-guard.ts'

/** What the parts of the relay have in common. */
export type Shared = Stores & {
  clock: Clock
  random: () => number
  log: Logger
  db: RelayDatabase
  guard: TargetGuard
  /** Of channels and points of sale. */
  operatorsGuard: TargetGuard
  secretBox: SecretBox
  meter: UsageMeter
  pos: PosAdapters
  firstTries: FirstTries
  /** Draws what printers have no characters for. Started and stopped with what goes on in the background. */
  raster: ResvgRaster
  certificates: RelayCertificates
  proxies: TrustedProxies
  replica: Replica
  /** Null: nothing is counted. */
  metrics: RelayMetrics | null
  traces: OrderTraces
  /** Null: nothing is kept of requests. */
  requests: RequestLog | null
  telephony: Telephones
  /** Codes of the countries that text messages may go to; the first is that of numbers without one. */
  countries: readonly string[]
  tellCustomer: TellCustomer
  callLimits: ReceptionistDeps['callLimits']
  /** The address under which telephone companies reach this relay, without a slash at its end. Known after the start. */
  receptionistUrl: () => string
  /** Null: nobody takes orders by voice. */
  orderTaker: OrderTaker | null
  hookSinks: HookSinks
}

/** Background services. They do not call each other: they communicate through the database. */
export function backgroundServices(shared: Shared, config: CloudConfig, recordResult: RecordResult): Service[] {
  const retentionDays = config.CLOUD_CUSTOMER_DATA_DAYS
  const { raster } = shared
  const deletionClock = new DeletionClock(shared)
  const deleting = { ...shared, clock: deletionClock }
  /** What one of the relays on a database does for all. */
  const once = (name: LeaseName, service: Service) => new Leased({ ...shared, name, service })
  return [
    deletionClock,
    ...(shared.requests === null ? [] : [shared.requests]),
    raster,
    once('sandbox', new Sandbox({ ...shared, recordResult, retentionDays, raster, deletionClock })),
    ...outgoingServices(shared, config),
    ...(config.CLOUD_OUTGOING === 'off' ? [] : [voicemailWorker(shared, config, publicDashboard(config))]),
    once('restore', new RestoreDue(shared)),
    once('recoveries', new Recoveries(shared)),
    once('retention', new ForgetWebhooks(deleting)),
    once('fire', new FireDue(shared)),
    once('retention', new ForgetCustomers({ ...deleting, retentionDays })),
    once('retention', new ForgetOrders({ ...deleting, ...orderRetentionOf(config) })),
    once('retention', new ForgetExpired(deleting)),
    once('retention', new ForgetCalls({ ...deleting, ...voiceRetentionOf(config), media: mediaOf(config, shared) })),
    once('invoices', new IssueInvoices({ ...shared, tell: invoiceMail(shared, publicDashboard(config)) })),
    once('latency', new FillSlices(shared)),
    once('calls', new QuietCalls({ ...shared, deletionClock })),
    // A copy of a database with CLOUD_OUTGOING=off must not take over the numbers of the original.
    ...(config.CLOUD_OUTGOING === 'off' ? [] : [once('numbers', new WireNumbers(shared))]),
    once('alerts', new AlertWatch({ ...shared, link: publicDashboard(config) })),
  ]
}

/** The address for mails. Null: the relay's public address is not set, or it has no dashboard. */
function publicDashboard({ CLOUD_PUBLIC_URL: url, CLOUD_DASHBOARD: dashboard }: CloudConfig): string | null {
  return url === undefined || dashboard === 'off' ? null : `${url}/dashboard`
}

/** Leases for an external broker that every relay of the database is connected to; null: this relay serves all gateways that are connected to its own broker. */
export function shardsOf({ db, clock, log }: Shared, { CLOUD_BROKER_URL: broker }: CloudConfig): ShardLeases | null {
  const { replicaId } = db
  return broker === undefined || replicaId === null ? null : new ShardLeases({ db, replicaId, clock, log })
}

/** What the relay has to do with others on its database. */
interface Neighbourhood {
  relay: Relay
  sessions: SessionIndex
  shards: ShardLeases | null
  mosquitto: MosquittoAccess | null
}

/** Started before all others and stopped after them. */
export async function neighbourServices(
  shared: Shared,
  config: CloudConfig,
  { relay, sessions, shards, mosquitto }: Neighbourhood,
): Promise<Service[]> {
  const { replica, deliveries, channelOutbox, posOutbox, notices, texts, voicemails, clock, log } = shared
  const takeOver = async (): Promise<void> => {
    await relay.relayDied()
    const limits = { nowMs: clock.now(), retrySeconds: config.CLOUD_WEBHOOK_RETRY_SECONDS }
    for (const outbox of [deliveries, channelOutbox, posOutbox]) await outbox.takeOver(limits)
    await notices.takeOver({ ...limits, retrySeconds: MAIL_RETRY_SECONDS })
    await texts.takeOver({ ...limits, retrySeconds: TEXT_RETRY_SECONDS })
    await voicemails.takeOver({ ...limits, retrySeconds: VOICEMAIL_RETRY_SECONDS })
  }
  let isOwed = false
  const owed = (): void => {
    if (!isOwed) return
    isOwed = false
    takeOver().catch((err: unknown) => {
      isOwed = true
      log.error({ err }, 'what a dead relay held could not be taken over; tried again after the next heartbeat')
    })
  }
  replica.changed.subscribe(owed)
  replica.died.subscribe(() => {
    isOwed = true
    owed()
  })
  replica.returned.subscribe(() => relay.returned())
  const passwords = mosquitto && new Leased({ replica, name: 'passwords', service: mosquitto, log })
  const { DATABASE_URL: url } = config
  const wakeUps =
    url === undefined || replica.id === null
      ? null
      : new WakeUps({ ...shared, shards, url, replicaId: replica.id, measuresLag: shared.metrics !== null })
  const figures = await metricsServices(shared, config, { sessions, wakeUps })
  return [replica, ...(passwords === null ? [] : [passwords]), ...(wakeUps === null ? [] : [wakeUps]), ...figures]
}
