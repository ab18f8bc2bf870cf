// The relay: everything it is made of, put together in one place and started and stopped in order.

import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { LOG_NOT_COPIED } from '#shared/quiet-checkpoint.ts'
import { ResvgRaster } from '#shared/raster/resvg-raster.ts'
import type { Service } from '#shared/service.ts'
import { ConfigError } from '#shared/settings.ts'
import type { App } from './api/app.ts'
import { claimRoutes } from './api/claim-routes.ts'
import { docsRoutes } from './api/docs-routes.ts'
import { healthRoutes } from './api/health-routes.ts'
import { RateLimits } from './api/rate-limit.ts'
import { useSandboxFaults } from './api/sandbox-faults.ts'
import { buildServer } from './api/server.ts'
import { accountRoutes } from './api/v1/account-routes.ts'
import { channelRoutes } from './api/v1/channel-routes.ts'
import { eventRoutes } from './api/v1/event-routes.ts'
import { gatewayRoutes } from './api/v1/gateway-routes.ts'
import { orderActionRoutes } from './api/v1/order-action-routes.ts'
import { orderRoutes } from './api/v1/order-routes.ts'
import { printRoutes } from './api/v1/print-routes.ts'
import { sandboxRoutes } from './api/v1/sandbox-routes.ts'
import { skuRoutes } from './api/v1/sku-routes.ts'
import { webhookDeliveryRoutes } from './api/v1/webhook-delivery-routes.ts'
import { webhookRoutes } from './api/v1/webhook-routes.ts'
import { type Authorize, authorize } from './auth/authorize.ts'
import { IssueInvoices } from './billing/issue-invoices.ts'
import { UsageMeter } from './billing/usage-meter.ts'
import { webhookAllowance } from './billing/webhook-allowance.ts'
import { MenuServices } from './catalog/menu-services.ts'
import type { CloudConfig } from './config.ts'
import { FireDue } from './orders/fire-due.ts'
import { FirstTries } from './orders/first-try.ts'
import { ForgetCustomers } from './orders/forget-customers.ts'
import type { PosAdapters } from './orders/pos-adapter.ts'
import { posAdapters } from './orders/pos-adapters.ts'
import { PosWorker } from './orders/pos-worker.ts'
import { recordKitchenFact } from './orders/record-kitchen-fact.ts'
import { recordPrintResult } from './orders/record-print-result.ts'
import type { ClaimDeps } from './pairing/claim-gateway.ts'
import type { RecordResult } from './relay/gateway-reports.ts'
import { MosquittoAccess } from './relay/mosquitto-access.ts'
import { Relay } from './relay/relay.ts'
import { Sandbox } from './sandbox/sandbox.ts'
import { AccountStore } from './storage/account-store.ts'
import { ApiKeyStore } from './storage/api-key-store.ts'
import { CatalogStore } from './storage/catalog-store.ts'
import { ChannelOutbox } from './storage/channel-outbox.ts'
import { ChannelStore } from './storage/channel-store.ts'
import { ClaimStore } from './storage/claim-store.ts'
import { CustomerDataStore } from './storage/customer-data-store.ts'
import { RelayDatabase } from './storage/database.ts'
import { DeliveryLog } from './storage/delivery-log.ts'
import { DeliveryStore } from './storage/delivery-store.ts'
import { DispatchStore } from './storage/dispatch-store.ts'
import { EndpointStore } from './storage/endpoint-store.ts'
import { EventStore } from './storage/event-store.ts'
import { GatewayConfigStore } from './storage/gateway-config-store.ts'
import { GatewayCredentialStore } from './storage/gateway-credential-store.ts'
import { GatewayListStore } from './storage/gateway-list-store.ts'
import { GatewayStore } from './storage/gateway-store.ts'
import { IdempotencyStore } from './storage/idempotency-store.ts'
import { InvoiceStore } from './storage/invoice-store.ts'
import { LocationStore } from './storage/location-store.ts'
import { MerchantListStore } from './storage/merchant-list-store.ts'
import { MerchantStore } from './storage/merchant-store.ts'
import { OrderStore } from './storage/order-store.ts'
import { PosOutboxStore } from './storage/pos-outbox-store.ts'
import { PrintJobStore } from './storage/print-job-store.ts'
import { RegisterStore } from './storage/register-store.ts'
import { SandboxFixtureStore } from './storage/sandbox-fixture-store.ts'
import { SandboxKitchenStore } from './storage/sandbox-kitchen-store.ts'
import { SandboxTicketStore } from './storage/sandbox-ticket-store.ts'
import { UsageStore } from './storage/usage-store.ts'
import { WebhookHistory } from './storage/webhook-history.ts'
import { DeliveryWorker } from './webhooks/delivery-worker.ts'
import { ForgetWebhooks } from './webhooks/forget-webhooks.ts'
import { Recoveries } from './webhooks/recoveries.ts'
import { SecretBox } from './webhooks/secret-box.ts'
import { TargetGuard } from './webhooks/target-guard.ts'

/** Requests that are still running this long after the stop are cut off: their clients retry. */
const DRAIN_REQUESTS_MS = 1_500

export interface CloudOptions {
  config: CloudConfig
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
  log: Logger
  /** Makes another program read its files again: SIGHUP. */
  hangUp?: (pid: number) => void
  /** A durable commit failed: what is on disk is unknown, so the program must end and start again. */
  onFatal: (error: unknown) => void
}

/** A port that another program holds. */
export class PortInUse extends Error {
  override readonly name = 'PortInUse'

  constructor(what: { port: number; host: string; variable: string }, cause: unknown) {
    super(
      `port ${what.port} on ${what.host} is in use: end the program that holds it, or set ${what.variable} to another port (0 = any free one)`,
      { cause },
    )
  }
}

/** What runs while the relay is started. */
interface Parts {
  db: RelayDatabase
  relay: Relay
  /** What goes on behind the answers. They know nothing of each other: the database is where they meet. */
  background: readonly Service[]
  meter: UsageMeter
  app: App
}

export class Cloud implements Service {
  readonly #options: CloudOptions
  #parts: Partial<Parts> = {}
  #stopping = false
  #httpUrl = ''

  constructor(options: CloudOptions) {
    this.#options = options
  }

  /** `http://127.0.0.1:8080`: where the API listens. Known after start. */
  get httpUrl(): string {
    return this.#httpUrl
  }

  /** Port of the embedded broker, known after start; 0 with an external broker. */
  get mqttPort(): number {
    return this.#parts.relay?.mqttPort ?? 0
  }

  /** Resolves when orders can be taken. @throws PortInUse, after it has closed what it had opened */
  async start(): Promise<void> {
    if (this.#parts.db) return
    this.#stopping = false
    try {
      await this.#startParts()
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  /** Refuses new requests with 503, finishes the running ones, hands back deliveries in flight, closes the database. */
  async stop(): Promise<void> {
    this.#stopping = true
    const { app, relay, background = [], meter, db } = this.#parts
    this.#parts = {}
    if (app) await this.#closeServer(app)
    // Together: results that still arrive from kitchens are recorded while attempts in flight end.
    await Promise.all([relay?.stop(), ...background.map((service) => service.stop())])
    await meter?.stop()
    await db?.close()
  }

  async #startParts(): Promise<void> {
    const { config, clock, random, log, onFatal } = this.#options
    const db = await RelayDatabase.open(config.CLOUD_DATABASE, onFatal)
    this.#parts.db = db
    db.copyFailed.subscribe((err) => log.warn({ err }, LOG_NOT_COPIED))
    const stores = openStores(db)
    const guard = new TargetGuard({ allowCidrs: config.CLOUD_WEBHOOK_ALLOW_CIDRS, clock })
    const secretBox = new SecretBox(Buffer.from(config.CLOUD_MASTER_KEY, 'base64'))
    const meter = new UsageMeter({ ...stores, db, clock, log })
    const pos = posAdapters({ ...stores, clock })
    const firstTries = new FirstTries(clock)
    const shared = { ...stores, db, clock, random, log, guard, secretBox, meter, pos, firstTries }

    const mosquitto = this.#mosquitto(shared)
    await mosquitto?.start()
    const recordResult: RecordResult = (result) => recordPrintResult(shared, result)
    const relay = new Relay({
      ...shared,
      recordResult,
      recordKitchenFact: (fact) => recordKitchenFact(shared, fact),
      config: linkOf(config),
      ...(mosquitto && { brokerAuth: mosquitto }),
    })
    const app = this.#buildApp(shared, relay, mosquitto)
    const background = this.#backgroundOf(shared, recordResult)
    Object.assign(this.#parts, { relay, background, meter, app })

    await namingPort({ host: config.CLOUD_MQTT_HOST, variable: 'CLOUD_MQTT_PORT' }, () => relay.start())
    for (const service of background) await service.start()
    await meter.start()
    relay.attachWebSocket(app.server)
    const listening = { host: config.CLOUD_HTTP_HOST, port: config.CLOUD_HTTP_PORT, backlog: 1_024 }
    await namingPort({ host: config.CLOUD_HTTP_HOST, variable: 'CLOUD_HTTP_PORT' }, () => app.listen(listening))
    this.#httpUrl = urlOf(config.CLOUD_HTTP_HOST, (app.server.address() as AddressInfo).port)
  }

  #backgroundOf(shared: Shared, recordResult: RecordResult): Service[] {
    const { CLOUD_WEBHOOK_RETRY_SECONDS: retrySeconds, CLOUD_CUSTOMER_DATA_DAYS: retentionDays } = this.#options.config
    const raster = new ResvgRaster({ clock: shared.clock, log: shared.log })
    return [
      raster,
      new Sandbox({ ...shared, recordResult, retentionDays, raster }),
      new DeliveryWorker({
        ...shared,
        retrySeconds,
        allowance: (accountId, environment) => webhookAllowance(shared, accountId, environment),
      }),
      new Recoveries(shared),
      new ForgetWebhooks(shared),
      new PosWorker({ ...shared, retrySeconds }),
      new FireDue(shared),
      new MenuServices({ ...shared, retrySeconds }),
      new ForgetCustomers({ ...shared, retentionDays }),
      new IssueInvoices(shared),
    ]
  }

  #buildApp(shared: Shared, relay: Relay, mosquitto: MosquittoAccess | null): App {
    const merchantOf: Authorize = (principal, merchantId) => authorize(shared, principal, merchantId)
    const docBase = () => this.#options.config.CLOUD_PUBLIC_URL ?? this.#httpUrl
    const app = buildServer({
      ...shared,
      docBase,
      stopping: () => this.#stopping,
      rateLimits: new RateLimits(shared),
      trustedProxies: this.#options.config.CLOUD_TRUSTED_PROXIES,
    })
    healthRoutes(app, {
      checks: [
        { name: 'database', ok: () => shared.accounts.answers() },
        { name: 'broker', ok: () => relay.ready() },
        { name: 'running', ok: () => !this.#stopping },
      ],
    })
    useSandboxFaults(app, { ...shared, docBase })
    docsRoutes(app, { docBase })
    orderRoutes(app, { ...shared, authorize: merchantOf })
    orderActionRoutes(app, { ...shared, authorize: merchantOf })
    printRoutes(app, { ...shared, authorize: merchantOf })
    accountRoutes(app, shared)
    skuRoutes(app, { ...shared, authorize: merchantOf })
    channelRoutes(app, { ...shared, authorize: merchantOf })
    webhookRoutes(app, { ...shared, authorize: merchantOf })
    webhookDeliveryRoutes(app, { ...shared, authorize: merchantOf })
    eventRoutes(app, { ...shared, authorize: merchantOf })
    sandboxRoutes(app, { ...shared, authorize: merchantOf })
    gatewayRoutes(app, { ...shared, authorize: merchantOf })
    claimRoutes(app, { ...shared, ...this.#brokerForGateways(), ...(mosquitto && admittedBy(mosquitto)) })
    return app
  }

  /** @throws ConfigError */
  #mosquitto({ gateways, clock, log }: Shared): MosquittoAccess | null {
    const { config, hangUp = () => undefined } = this.#options
    const { CLOUD_MOSQUITTO_PASSWORD_FILE: passwordFile, CLOUD_MOSQUITTO_PID_FILE: pidFile } = config
    if (passwordFile === undefined) return null
    const { CLOUD_BROKER_URL: url, CLOUD_BROKER_USERNAME: username, CLOUD_BROKER_PASSWORD: password } = config
    if (url === undefined || username === undefined || password === undefined)
      throw new ConfigError(
        'CLOUD_MOSQUITTO_PASSWORD_FILE needs CLOUD_BROKER_URL, CLOUD_BROKER_USERNAME and CLOUD_BROKER_PASSWORD beside it.',
      )
    return new MosquittoAccess({ passwordFile, pidFile, relay: { username, password }, gateways, hangUp, clock, log })
  }

  /** What boxes are told when they are paired. */
  #brokerForGateways(): { brokerUrl: () => string; brokerCa?: string; brokerHasOwnList: boolean } {
    const { config } = this.#options
    const file = config.CLOUD_GATEWAY_CA_FILE
    const brokerUrl = (): string =>
      config.CLOUD_GATEWAY_BROKER_URL ??
      // http becomes ws, https becomes wss.
      (config.CLOUD_PUBLIC_URL === undefined
        ? `mqtt://${urlHost(config.CLOUD_MQTT_HOST)}:${this.mqttPort}`
        : `${config.CLOUD_PUBLIC_URL.replace(/^http/, 'ws')}/mqtt`)
    const brokerHasOwnList = config.CLOUD_BROKER_URL !== undefined
    return { brokerUrl, brokerHasOwnList, ...(file === undefined ? {} : { brokerCa: readCertificate(file) }) }
  }

  async #closeServer(app: App): Promise<void> {
    const cancel = this.#options.clock.after(DRAIN_REQUESTS_MS, () => app.server.closeAllConnections())
    await app.close()
    cancel()
  }
}

function admittedBy(mosquitto: MosquittoAccess): Pick<ClaimDeps, 'admit'> & { brokerHasOwnList: boolean } {
  return { admit: (credential) => mosquitto.admit(credential), brokerHasOwnList: false }
}

type Stores = ReturnType<typeof openStores>
type Shared = Stores &
  Pick<CloudOptions, 'clock' | 'random' | 'log'> & {
    db: RelayDatabase
    guard: TargetGuard
    secretBox: SecretBox
    meter: UsageMeter
    pos: PosAdapters
    firstTries: FirstTries
  }

function openStores(db: RelayDatabase) {
  return {
    accounts: new AccountStore(db),
    apiKeys: new ApiKeyStore(db),
    merchants: new MerchantStore(db),
    locations: new LocationStore(db),
    catalog: new CatalogStore(db),
    claims: new ClaimStore(db),
    configs: new GatewayConfigStore(db),
    gatewayList: new GatewayListStore(db),
    credentials: new GatewayCredentialStore(db),
    channels: new ChannelStore(db),
    channelOutbox: new ChannelOutbox(db),
    customerData: new CustomerDataStore(db),
    orders: new OrderStore(db),
    registers: new RegisterStore(db),
    posOutbox: new PosOutboxStore(db),
    printJobs: new PrintJobStore(db),
    dispatches: new DispatchStore(db),
    gateways: new GatewayStore(db),
    endpoints: new EndpointStore(db),
    deliveries: new DeliveryStore(db),
    deliveryLog: new DeliveryLog(db),
    events: new EventStore(db),
    webhookHistory: new WebhookHistory(db),
    merchantList: new MerchantListStore(db),
    usage: new UsageStore(db),
    idempotency: new IdempotencyStore(db),
    invoices: new InvoiceStore(db),
    fixtures: new SandboxFixtureStore(db),
    sandboxKitchens: new SandboxKitchenStore(db),
    sandboxTickets: new SandboxTicketStore(db),
  }
}

function linkOf(config: CloudConfig) {
  return {
    mqttHost: config.CLOUD_MQTT_HOST,
    mqttPort: config.CLOUD_MQTT_PORT,
    brokerUrl: config.CLOUD_BROKER_URL,
    brokerUsername: config.CLOUD_BROKER_USERNAME,
    brokerPassword: config.CLOUD_BROKER_PASSWORD,
  }
}

/** Runs `listen` and turns EADDRINUSE into a PortInUse that names port and variable. */
async function namingPort(where: { host: string; variable: string }, listen: () => Promise<unknown>): Promise<void> {
  try {
    await listen()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new PortInUse({ ...where, port: 'port' in error ? Number(error.port) : 0 }, error)
    }
    throw error
  }
}

/** An address that a client on this machine can use; a wildcard becomes loopback. */
function urlOf(host: string, port: number): string {
  return `http://${urlHost(host)}:${port}`
}

/** @throws ConfigError */
function readCertificate(file: string): string {
  let text = ''
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new ConfigError(`CLOUD_GATEWAY_CA_FILE ${file} cannot be read (${why}).`)
  }
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw new ConfigError(`CLOUD_GATEWAY_CA_FILE ${file} holds no certificate in PEM.`)
}

function urlHost(host: string): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return reachable.includes(':') ? `[${reachable}]` : reachable
}
