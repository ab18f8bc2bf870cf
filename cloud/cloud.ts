// The relay: everything it is made of, put together in one place and started and stopped in order.

import type { AddressInfo } from 'node:net'
import type { Clock } from '#shared/clock.ts'
import { makeRoomToOpen } from '#shared/disk/disk-reserve.ts'
import type { Logger } from '#shared/log.ts'
import { ResvgRaster } from '#shared/raster/resvg-raster.ts'
import type { Service } from '#shared/service.ts'
import { ConfigError } from '#shared/settings.ts'
import { AdminSocket } from './admin/admin-socket.ts'
import type { App } from './api/app.ts'
import { ByteBudget } from './api/byte-budget.ts'
import { claimRoutes } from './api/claim-routes.ts'
import { ClosingServer } from './api/closing-server.ts'
import { docsRoutes } from './api/docs-routes.ts'
import { healthRoutes } from './api/health-routes.ts'
import { RateLimits } from './api/rate-limit.ts'
import { useSandboxFaults } from './api/sandbox-faults.ts'
import { buildServer } from './api/server.ts'
import { StrangerBudget } from './api/stranger-budget.ts'
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
import { mayAddGateway } from './billing/gateway-cap.ts'
import { IssueInvoices } from './billing/issue-invoices.ts'
import { UsageMeter } from './billing/usage-meter.ts'
import { namingPort, readCertificate } from './cannot-start.ts'
import { RelayCertificates } from './certificate/relay-certificates.ts'
import type { ServedCertificate } from './certificate/served-certificate.ts'
import { adminSocketOf, type CloudConfig } from './config.ts'
import { certificatePlaces, linkOf, orderRetentionOf, proxiesOf } from './config-parts.ts'
import type { TrustedProxies } from './limits/trusted-proxies.ts'
import { oneAddressOf } from './listening-host.ts'
import { FireDue } from './orders/fire-due.ts'
import { FirstTries } from './orders/first-try.ts'
import { ForgetCustomers } from './orders/forget-customers.ts'
import type { PosAdapters } from './orders/pos-adapter.ts'
import { posAdapters } from './orders/pos-adapters.ts'
import { recordKitchenFact } from './orders/record-kitchen-fact.ts'
import { recordPrintResult } from './orders/record-print-result.ts'
import { takeBackOrders } from './orders/take-back-orders.ts'
import { outgoingServices } from './outgoing.ts'
import type { ClaimDeps } from './pairing/claim-gateway.ts'
import type { RecordResult } from './relay/gateway-reports.ts'
import { MosquittoAccess } from './relay/mosquitto-access.ts'
import { Relay } from './relay/relay.ts'
import { apiUrl, brokerUrlFor } from './relay-addresses.ts'
import { DeletionClock } from './retention/deletion-clock.ts'
import { ForgetExpired } from './retention/forget-expired.ts'
import { ForgetOrders } from './retention/forget-orders.ts'
import { Sandbox } from './sandbox/sandbox.ts'
import { RelayDatabase, whyNotStored } from './storage/database.ts'
import { DatabaseCheck } from './storage/database-check.ts'
import { realDatabasePath, tracesOfDatabase } from './storage/database-path.ts'
import { quietWhileRefused } from './storage/quiet-log.ts'
import { holdDatabase } from './storage/relay-lock.ts'
import { StorageWatch } from './storage/storage-watch.ts'
import { openStores, type Stores } from './storage/stores.ts'
import { checkMasterKey } from './webhooks/check-master-key.ts'
import { ForgetWebhooks } from './webhooks/forget-webhooks.ts'
import { Recoveries } from './webhooks/recoveries.ts'
import { SecretBox } from './webhooks/secret-box.ts'
import { TargetGuard } from './webhooks/target-guard.ts'

/** An `admin` command that was begun without a relay has a moment to end. */
const COMMAND_ENDS_WITHIN_MS = 5_000

export interface CloudOptions {
  config: CloudConfig
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
  log: Logger
  /** Instead of the one that the settings make: for tests whose live endpoints are on this machine. */
  guard?: TargetGuard
  /** Makes another program read its files again: SIGHUP. */
  hangUp?: (pid: number) => void
  /** A durable commit failed: what is on disk is unknown, so the program must end and start again. */
  onFatal: (error: unknown) => void
}

/** What runs while the relay is started. */
interface Parts {
  /** Gives the hold of the database back. */
  letGo: () => void
  certificates: RelayCertificates
  db: RelayDatabase
  relay: Relay
  /** What goes on behind the answers. They know nothing of each other: the database is where they meet. */
  background: readonly Service[]
  meter: UsageMeter
  server: ClosingServer
  admin: AdminSocket
  /** What watches the database. */
  storage: readonly Service[]
}

export class Cloud implements Service {
  readonly #options: CloudOptions
  #parts: Partial<Parts> = {}
  #stopping = false
  #httpUrl = ''

  constructor(options: CloudOptions) {
    this.#options = options
  }

  /** `http://127.0.0.1:8080`, or https: where the API listens. Known after start. */
  get httpUrl(): string {
    return this.#httpUrl
  }

  /** Port of the embedded broker, known after start; 0 with an external broker. */
  get mqttPort(): number {
    return this.#parts.relay?.mqttPort ?? 0
  }

  /** Resolves when orders can be taken. @throws an error of `cannotStart`, or any other, after it has closed what it had opened */
  async start(): Promise<void> {
    if (this.#parts.db) return
    this.#stopping = false
    try {
      await this.#startParts()
    } catch (error) {
      await this.stop()
      throw whyNotStored(this.#options.config.CLOUD_DATABASE, error)
    }
  }

  /** Refuses new requests with 503, finishes the running ones, hands back deliveries in flight, closes the database. */
  async stop(): Promise<void> {
    this.#stopping = true
    const { server, relay, background = [], meter, storage = [], db, admin, certificates, letGo } = this.#parts
    this.#parts = {}
    const { log } = this.#options
    const stopped = (part: Pick<Service, 'stop'> | undefined): Promise<void> | undefined =>
      // On a full disk a part cannot give back what it holds: the next start takes it.
      part?.stop().catch((err: unknown) => log.warn({ err }, 'a part of the relay did not stop in order'))
    await stopped(admin)
    await server?.finish()
    // Together: results that still arrive from kitchens are recorded while attempts in flight end.
    await Promise.all([relay, ...background].map(stopped))
    // After the relay, which ends the gateways at /mqtt: the server waits for them.
    await server?.close()
    await stopped(meter)
    await Promise.all(storage.map(stopped))
    await db?.close()
    await certificates?.stop()
    letGo?.()
  }

  /** Reads again what can be read again while it runs: the certificates. */
  reload(): void {
    this.#parts.certificates?.reload()
  }

  async #startParts(): Promise<void> {
    const { config, clock, random, log } = this.#options
    const file = realDatabasePath(config.CLOUD_DATABASE)
    await this.#hold(file)
    const certificates = new RelayCertificates({ ...certificatePlaces(config), clock, log })
    this.#parts.certificates = certificates
    await certificates.start()
    const { db, watch, check } = await this.#openDatabase(file)
    const stores = openStores(db)
    const secretBox = new SecretBox(Buffer.from(config.CLOUD_MASTER_KEY, 'base64'))
    await checkMasterKey({ ...stores, secretBox, log }, config.CLOUD_START_WITHOUT_SECRETS)
    const meter = new UsageMeter({ ...stores, db, clock, log: quietWhileRefused(log) })
    const pos = posAdapters({ ...stores, clock })
    const firstTries = new FirstTries(clock)
    const proxies = proxiesOf(config)
    const shared = {
      ...stores,
      db,
      clock,
      random,
      log: quietWhileRefused(log),
      ...this.#guards(),
      secretBox,
      meter,
      pos,
      firstTries,
      certificates,
      proxies,
    }

    const mosquitto = this.#mosquitto(shared)
    await mosquitto?.start()
    const recordResult: RecordResult = (result) => recordPrintResult(shared, result)
    const relay = new Relay({
      ...shared,
      recordResult,
      recordKitchenFact: (fact) => recordKitchenFact(shared, fact),
      takeBackOrders: (piece) => takeBackOrders(shared, piece),
      config: linkOf(config),
      certificate: certificates.mqtt,
      ...(mosquitto && { brokerAuth: mosquitto }),
    })
    const app = this.#buildApp({ ...shared, watch }, relay, mosquitto)
    const background = this.#backgroundOf(shared, recordResult)
    const admin = this.#adminSocket(shared)
    const server = new ClosingServer(app, clock)
    Object.assign(this.#parts, { relay, background, meter, server, admin })

    await admin.start()
    await namingPort({ host: config.CLOUD_MQTT_HOST, setting: 'CLOUD_MQTT' }, () => relay.start())
    for (const service of background) await service.start()
    await meter.start()
    await watch.start()
    relay.attachWebSocket(app.server)
    const listening = { host: oneAddressOf(config.CLOUD_HTTP_HOST), port: config.CLOUD_HTTP_PORT, backlog: 1_024 }
    await namingPort({ host: config.CLOUD_HTTP_HOST, setting: 'CLOUD_HTTP' }, () => app.listen(listening))
    this.#httpUrl = apiUrl(certificates.api, config.CLOUD_HTTP_HOST, (app.server.address() as AddressInfo).port)
    await check.start()
  }

  async #hold(file: string): Promise<void> {
    const { clock, log } = this.#options
    const traces = tracesOfDatabase(file)
    this.#parts.letGo = await holdDatabase(file, { clock, withinMs: COMMAND_ENDS_WITHIN_MS })
    if (traces.length > 0) log.warn({ file, traces }, 'there was a database here before: a new, empty one is made now')
  }

  async #openDatabase(file: string): Promise<{ db: RelayDatabase; watch: StorageWatch; check: DatabaseCheck }> {
    const { clock, log, onFatal } = this.#options
    makeRoomToOpen(file)
    const db = await RelayDatabase.open(file, onFatal)
    const watch = new StorageWatch({ db, clock, log })
    const check = new DatabaseCheck({ db, clock, log })
    Object.assign(this.#parts, { db, storage: [watch, check] })
    return { db, watch, check }
  }

  #guards(): Pick<Shared, 'guard' | 'operatorsGuard'> {
    const { config, clock, guard } = this.#options
    const { CLOUD_WEBHOOK_ALLOW_CIDRS: allowCidrs, CLOUD_WEBHOOK_PORTS: ports } = config
    return {
      guard: guard ?? new TargetGuard({ allowCidrs, ports, clock }),
      operatorsGuard: new TargetGuard({ allowCidrs, chosenBy: 'operator', clock }),
    }
  }

  #adminSocket(shared: Shared): AdminSocket {
    const { config, log } = this.#options
    const guard = shared.operatorsGuard
    const deps = { ...shared, guard, stores: shared, brokerHasOwnList: config.CLOUD_BROKER_URL !== undefined }
    return new AdminSocket({ path: adminSocketOf(config), deps, log })
  }

  #backgroundOf(shared: Shared, recordResult: RecordResult): Service[] {
    const { config } = this.#options
    const retentionDays = config.CLOUD_CUSTOMER_DATA_DAYS
    const raster = new ResvgRaster({ clock: shared.clock, log: shared.log })
    const deletionClock = new DeletionClock(shared)
    const deleting = { ...shared, clock: deletionClock }
    return [
      deletionClock,
      raster,
      new Sandbox({ ...shared, recordResult, retentionDays, raster, deletionClock }),
      ...outgoingServices(shared, config),
      new Recoveries(shared),
      new ForgetWebhooks(deleting),
      new FireDue(shared),
      new ForgetCustomers({ ...deleting, retentionDays }),
      new ForgetOrders({ ...deleting, ...orderRetentionOf(config) }),
      new ForgetExpired(deleting),
      new IssueInvoices(shared),
    ]
  }

  #buildApp(shared: Shared & { watch: StorageWatch }, relay: Relay, mosquitto: MosquittoAccess | null): App {
    const merchantOf: Authorize = (principal, merchantId) => authorize(shared, principal, merchantId)
    const docBase = () => this.#options.config.CLOUD_PUBLIC_URL ?? this.#httpUrl
    const { gate } = shared.db
    const app = buildServer({
      ...shared,
      docBase,
      stopping: () => this.#stopping,
      rateLimits: new RateLimits(shared),
      bytes: { ...shared, budget: new ByteBudget(shared) },
      strangers: new StrangerBudget(shared),
      certificate: shared.certificates.api,
    })
    healthRoutes(app, {
      checks: [
        { name: 'database', ok: async () => (await shared.accounts.answers()) && !gate.has('damaged') },
        { name: 'disk', ok: () => !gate.has('full') },
        { name: 'writable', ok: () => !gate.has('locked') },
        { name: 'broker', ok: () => relay.ready() },
        { name: 'running', ok: () => !this.#stopping },
      ],
      warnings: () => shared.watch.warnings,
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
    claimRoutes(app, {
      ...shared,
      mayAdd: (tx, locationId) => mayAddGateway(tx, shared, locationId),
      ...this.#brokerForGateways(shared.certificates.mqtt),
      ...(mosquitto && admittedBy(mosquitto)),
    })
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
  #brokerForGateways(
    certificate: ServedCertificate | null,
  ): Pick<ClaimDeps, 'brokerUrl' | 'brokerCa'> & { brokerHasOwnList: boolean } {
    const { config } = this.#options
    const file = config.CLOUD_GATEWAY_CA_FILE
    const brokerUrl = (): string => brokerUrlFor(config, { mqttPort: this.mqttPort, certificate })
    const brokerHasOwnList = config.CLOUD_BROKER_URL !== undefined
    return { brokerUrl, brokerHasOwnList, ...(file === undefined ? {} : { brokerCa: readCertificate(file) }) }
  }
}

function admittedBy(mosquitto: MosquittoAccess): Pick<ClaimDeps, 'admit'> & { brokerHasOwnList: boolean } {
  return { admit: (credential) => mosquitto.admit(credential), brokerHasOwnList: false }
}

type Shared = Stores &
  Pick<CloudOptions, 'clock' | 'random' | 'log'> & {
    db: RelayDatabase
    guard: TargetGuard
    /** Of channels and points of sale. */
    operatorsGuard: TargetGuard
    secretBox: SecretBox
    meter: UsageMeter
    pos: PosAdapters
    firstTries: FirstTries
    certificates: RelayCertificates
    proxies: TrustedProxies
  }
