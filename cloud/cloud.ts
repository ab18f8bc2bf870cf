// The relay: everything it is made of, put together in one place and started and stopped in order.

import type { AddressInfo } from 'node:net'
import type { Clock } from '#shared/clock.ts'
import { type Logger, tellingWalk } from '#shared/log.ts'
import { ResvgRaster } from '#shared/raster/resvg-raster.ts'
import type { Service } from '#shared/service.ts'
import { ConfigError } from '#shared/settings.ts'
import { AdminSocket } from './admin/admin-socket.ts'
import { adminSocketOf, askedDatabase, requestFileOf } from './admin-place.ts'
import { ClosingServer } from './api/closing-server.ts'
import { backgroundServices, neighbourServices, type Shared, shardsOf } from './background.ts'
import { UsageMeter } from './billing/usage-meter.ts'
import { buildApp, type Dashboard, type Feeds } from './build-app.ts'
import { namingPort, readCertificate } from './cannot-start.ts'
import { RelayCertificates } from './certificate/relay-certificates.ts'
import type { ServedCertificate } from './certificate/served-certificate.ts'
import type { CloudConfig } from './config.ts'
import { certificatePlaces, drainSecondsOf, linkOf, proxiesOf } from './config-parts.ts'
import { observed } from './figures.ts'
import { oneAddressOf } from './listening-host.ts'
import { FirstTries } from './orders/first-try.ts'
import { posAdapters } from './orders/pos-adapters.ts'
import { recordKitchenFact } from './orders/record-kitchen-fact.ts'
import { recordPrintResult } from './orders/record-print-result.ts'
import { takeBackOrders } from './orders/take-back-orders.ts'
import type { ClaimDeps } from './pairing/claim-gateway.ts'
import { type PeopleParts, relayPasswords } from './people/parts.ts'
import { People } from './people/people.ts'
import { SharedThrottle } from './people/shared-throttle.ts'
import { siteOf } from './people/site.ts'
import { receptionistParts } from './receptionist-parts.ts'
import { mediaOf } from './recording-parts.ts'
import type { RecordResult } from './relay/gateway-reports.ts'
import { MosquittoAccess } from './relay/mosquitto-access.ts'
import { Relay } from './relay/relay.ts'
import { SessionIndex } from './relay/session-index.ts'
import { apiUrl, brokerUrlFor, pageOrigins } from './relay-addresses.ts'
import { type Replica, replicaOf } from './replica/replica.ts'
import { RequestLog } from './requests/request-log.ts'
import { BrokerAdmissionStore } from './storage/broker-admission-store.ts'
import type { RelayDatabase } from './storage/database.ts'
import { type OpenStorage, openStorage, whyNotOpened } from './storage/open-storage.ts'
import { quietWhileRefused } from './storage/quiet-log.ts'
import { openStores } from './storage/stores.ts'
import { orderTraces } from './traces.ts'
import { checkMasterKey } from './webhooks/check-master-key.ts'
import { SecretBox } from './webhooks/secret-box.ts'
import { TargetGuard } from './webhooks/target-guard.ts'

export interface CloudOptions {
  config: CloudConfig
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
  log: Logger
  /** Replaces the guard that the settings make: for tests whose live endpoints are on this machine. */
  guard?: TargetGuard
  /** Makes another program read its files again: SIGHUP. */
  hangUp?: (pid: number) => void
  /** A durable commit failed: what is on disk is unknown, so the program must end and start again. */
  onFatal: (error: unknown) => void
}

/** What runs while the relay is started. */
interface Parts {
  /** Gives the hold of the database back. */
  letGo: OpenStorage['letGo']
  certificates: RelayCertificates
  db: RelayDatabase
  relay: Relay
  /** Background services. They do not call each other: they communicate through the database. */
  background: readonly Service[]
  meter: UsageMeter
  replica: Replica
  /** What has to do with other relays on the database. */
  others: readonly Service[]
  server: ClosingServer
  feeds: Feeds
  admin: AdminSocket
  /** What watches the database. */
  storage: readonly Service[]
}

export class Cloud implements Service {
  readonly #options: CloudOptions
  #parts: Partial<Parts> = {}
  #isDraining = false
  #stopping = false
  #closeDatabase: () => Promise<void> = async () => undefined
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
    this.#isDraining = false
    try {
      await this.#startParts()
    } catch (error) {
      await this.stop()
      const { CLOUD_DATABASE: file, DATABASE_URL: url } = this.#options.config
      throw whyNotOpened({ file, url }, error)
    }
  }

  /**
   * First part of an orderly stop. `/readyz` is 503 and answers close their connections, while everything is served as before; then the
   * gateways move to other relays. Resolves when `stop` may follow: after CLOUD_DRAIN_SECONDS and the move, or at once when they are 0 or
   * `now` aborts.
   */
  async drain(now: AbortSignal): Promise<void> {
    const { config, clock, log } = this.#options
    const { server, relay, replica, feeds } = this.#parts
    const seconds = drainSecondsOf(config)
    if (seconds === 0 || !server || !relay || this.#isDraining) return
    this.#isDraining = true
    server.leave()
    // What it does for all another one does from now on. A database that hangs makes the stop no longer.
    void replica?.giveWay().catch((err: unknown) => log.warn({ err }, 'leases were not given back; they run out'))
    log.info({ seconds }, 'draining: serving until clients send nothing new')
    await clock.sleep(seconds * 1_000, now)
    // By now nothing new is sent to this relay: programs that listen come to another one.
    await feeds?.listeners.leave()
    if (!now.aborted) await relay.moveAway(now)
  }

  /** Ends without waiting for anybody: what was answered is on disk, and stays there. Whatever else runs is cut off by the program's end. */
  async abandon(): Promise<void> {
    await this.#closeDatabase()
  }

  /** Refuses new requests with 503, finishes the running ones, hands back deliveries in flight, closes the database. */
  async stop(): Promise<void> {
    this.#stopping = true
    const {
      feeds,
      server,
      relay,
      background = [],
      meter,
      storage = [],
      others = [],
      db,
      admin,
      certificates,
      letGo,
    } = this.#parts
    this.#parts = {}
    const { log } = this.#options
    const stopped = (part: Pick<Service, 'stop'> | undefined): Promise<void> | undefined =>
      // On a full disk a part cannot give back what it holds: the next start takes it.
      part?.stop().catch((err: unknown) => log.warn({ err }, 'a part of the relay did not stop in order'))
    await stopped(admin)
    // Before the server, which waits for whatever runs.
    await Promise.all([feeds?.live ?? undefined, feeds?.listeners].map(stopped))
    await server?.finish()
    // Together: results that still arrive from kitchens are recorded while attempts in flight end.
    await Promise.all([relay, ...background].map(stopped))
    // After the relay, which ends the gateways at /mqtt: the server waits for them.
    await server?.close()
    await stopped(meter)
    for (const service of others.toReversed()) await stopped(service)
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
    const { watch, check, ...opened } = await this.#openStorage()
    const { metrics, db, log: told } = await observed(config, { db: opened.db, log: quietWhileRefused(log) })
    const certificates = new RelayCertificates({ ...certificatePlaces(config), clock, log })
    this.#parts.certificates = certificates
    await certificates.start()
    const stores = openStores(db)
    const secretBox = new SecretBox(Buffer.from(config.CLOUD_MASTER_KEY, 'base64'))
    await checkMasterKey({ ...stores, secretBox, log }, config.CLOUD_START_WITHOUT_SECRETS)
    const { traces, sending } = await orderTraces(config, { ...stores, db, clock, log: told })
    await traces.start()
    const replica = replicaOf({ db, clock, log: told })
    const meter = new UsageMeter({ ...stores, db, clock, log: told })
    const pos = posAdapters({ ...stores, clock })
    const firstTries = new FirstTries(clock)
    const raster = new ResvgRaster({ clock, log: told })
    const made = { ...stores, db, clock, secretBox, pos, firstTries, log: tellingWalk(told, traces.walked) }
    const shared = {
      ...made,
      ...this.#guards(),
      ...{ random, meter, raster, certificates, replica, metrics, traces },
      ...{ proxies: proxiesOf(config), requests: this.#requestLog(told) },
      ...receptionistParts(config, { ...made, ownUrl: () => this.#httpUrl }),
    }

    const mosquitto = this.#mosquitto(shared)
    const shards = shardsOf(shared, config)
    // Results of the sandbox's simulated kitchen are no data about real kitchens.
    const recordSimulated: RecordResult = (result) => recordPrintResult(shared, result)
    const watched = { ...shared, recorded: metrics?.recorded }
    const sessions = new SessionIndex()
    const relay = new Relay({
      ...shared,
      recordResult: (result) => recordPrintResult(watched, result),
      recordKitchenFact: (fact) => recordKitchenFact(shared, fact),
      takeBackOrders: (piece) => takeBackOrders(shared, piece),
      ...{ config: linkOf(config), certificate: certificates.mqtt, observer: metrics?.link, sessions },
      fleet: replica.fleet,
      shards,
      ...(mosquitto && { brokerAuth: mosquitto }),
    })
    const { app, feeds } = buildApp({
      ...{ shared, watch, relay },
      docBase: () => config.CLOUD_PUBLIC_URL ?? this.#httpUrl,
      isStopping: () => this.#stopping,
      isDraining: () => this.#isDraining,
      dashboard: this.#dashboard(shared),
      sends: config.CLOUD_OUTGOING !== 'off',
      claims: { ...this.#brokerForGateways(certificates.mqtt), ...(mosquitto && admittedBy(mosquitto)) },
    })
    const background = backgroundServices(shared, config, recordSimulated)
    const admin = this.#adminSocket(shared)
    const server = new ClosingServer(app, clock)
    const neighbours = await neighbourServices(shared, config, { relay, sessions, shards, mosquitto })
    const others = [...sending, ...neighbours]
    Object.assign(this.#parts, { relay, background, meter, server, feeds, admin, replica, others })

    for (const service of others) await service.start()
    await admin.start()
    await namingPort({ host: config.CLOUD_MQTT_HOST, setting: 'CLOUD_MQTT' }, () => relay.start())
    // The watch is the last: what the others write at their start may use the last room of the disk.
    for (const service of [...background, meter, feeds.live, feeds.listeners, watch]) await service?.start()
    relay.attachWebSocket(app.server)
    const listening = { host: oneAddressOf(config.CLOUD_HTTP_HOST), port: config.CLOUD_HTTP_PORT, backlog: 1_024 }
    await namingPort({ host: config.CLOUD_HTTP_HOST, setting: 'CLOUD_HTTP' }, () => app.listen(listening))
    this.#httpUrl = apiUrl(certificates.api, config.CLOUD_HTTP_HOST, (app.server.address() as AddressInfo).port)
    await check?.start()
  }

  async #openStorage(): Promise<Pick<OpenStorage, 'db' | 'watch' | 'check'>> {
    const { config, clock, log, onFatal } = this.#options
    const { db, watch, check, letGo } = await openStorage({
      file: config.CLOUD_DATABASE,
      url: config.DATABASE_URL,
      slots: config.CLOUD_DB_SLOTS,
      readers: config.CLOUD_DB_READERS,
      ...{ clock, log, onFatal },
    })
    this.#closeDatabase = () => db.close()
    Object.assign(this.#parts, { letGo, db, storage: check === null ? [watch] : [watch, check] })
    return { db, watch, check }
  }

  #guards(): Pick<Shared, 'guard' | 'operatorsGuard'> {
    const { config, clock, guard } = this.#options
    const { CLOUD_WEBHOOK_ALLOW_CIDRS: allowCidrs, CLOUD_WEBHOOK_PORTS: ports } = config
    return {
      guard: guard ?? new TargetGuard({ allowCidrs, ports, clock }),
      operatorsGuard: new TargetGuard({ allowCidrs, ports, chosenBy: 'operator', clock }),
    }
  }

  #adminSocket(shared: Shared): AdminSocket {
    const { config, log } = this.#options
    const guard = shared.operatorsGuard
    const brokerHasOwnList = config.CLOUD_BROKER_URL !== undefined
    const deps = { ...shared, guard, stores: shared, brokerHasOwnList, ...this.#letters() }
    return new AdminSocket({ path: adminSocketOf(config), database: askedDatabase(config).mark, deps, log })
  }

  #dashboard(shared: Shared): Dashboard | null {
    const { config } = this.#options
    if (config.CLOUD_DASHBOARD === 'off') return null
    const parts: PeopleParts = {
      ...shared,
      passwords: relayPasswords(),
      throttle: new SharedThrottle(shared),
      signUp: config.CLOUD_SIGN_UP,
      ...this.#letters(),
    }
    return {
      people: new People(parts),
      origins: () => pageOrigins(config.CLOUD_PUBLIC_URL, this.#httpUrl),
      running: {
        log: shared.log,
        people: parts,
        firstTries: shared.firstTries,
        raster: shared.raster,
        requests: shared.requests,
        media: mediaOf(config, shared),
      },
      parts,
      brokerHasOwnList: config.CLOUD_BROKER_URL !== undefined,
    }
  }

  #requestLog(log: Logger): RequestLog | null {
    const { config, clock } = this.#options
    const { CLOUD_REQUEST_LOG_DAYS: days } = config
    return days === 0 ? null : new RequestLog({ file: requestFileOf(config), days, clock, log })
  }

  /** Where links in mail lead, and whether mail leaves at all. */
  #letters(): Pick<PeopleParts, 'site' | 'sendsMail'> {
    const { CLOUD_PUBLIC_URL: publicUrl, CLOUD_MAIL_URL: mailUrl } = this.#options.config
    return { site: () => siteOf(publicUrl ?? this.#httpUrl), sendsMail: mailUrl !== undefined }
  }

  /** @throws ConfigError */
  #mosquitto({ db, gateways, replica, clock, log }: Shared): MosquittoAccess | null {
    const { config, hangUp = () => undefined } = this.#options
    const { CLOUD_MOSQUITTO_PASSWORD_FILE: passwordFile, CLOUD_MOSQUITTO_PID_FILE: pidFile } = config
    if (passwordFile === undefined) return null
    const { CLOUD_BROKER_URL: url, CLOUD_BROKER_USERNAME: username, CLOUD_BROKER_PASSWORD: password } = config
    if (url === undefined || username === undefined || password === undefined)
      throw new ConfigError(
        'CLOUD_MOSQUITTO_PASSWORD_FILE needs CLOUD_BROKER_URL, CLOUD_BROKER_USERNAME and CLOUD_BROKER_PASSWORD beside it.',
      )
    const admissions = db.replicaId === null ? null : new BrokerAdmissionStore(db)
    const relay = { username, password }
    const mayWrite = (): boolean => replica.holds('passwords')
    return new MosquittoAccess({ passwordFile, pidFile, relay, gateways, admissions, mayWrite, hangUp, clock, log })
  }

  /** What boxes get when they are paired. */
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
