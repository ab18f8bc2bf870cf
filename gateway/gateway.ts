// The gateway's composition root: builds every part, starts them in order, stops them in reverse.
import { arch, networkInterfaces, type } from 'node:os'
import { dirname, join } from 'node:path'
import { whyNotStarted } from '#gateway/cannot-start.ts'
import { BoxCare, type BoxCareOptions } from '#gateway/care/box-care.ts'
import { PageCertificate } from '#gateway/certificate/page-certificate.ts'
import { controlSocketOf, type GatewayConfig, httpsPortOf } from '#gateway/config.ts'
import { type BoxAccess, boxAccess, siteOf } from '#gateway/control/box-access.ts'
import { CloudPrinters } from '#gateway/control/cloud-printers.ts'
import { ControlRoom, type ControlRoomOptions } from '#gateway/control/control-room.ts'
import { healthFor } from '#gateway/control/health-summary.ts'
import { type HttpsAnswer, NO_HTTPS } from '#gateway/control/https-answer.ts'
import { KitchenReport } from '#gateway/control/kitchen-report.ts'
import type { LogRing } from '#gateway/control/log-ring.ts'
import type { PrinterAddressPolicy } from '#gateway/control/printer-address-policy.ts'
import { ARP_FILE } from '#gateway/discovery/arp-table.ts'
import { HttpServer, type HttpServerOptions } from '#gateway/http/server.ts'
import type { StatusSource } from '#gateway/http/status-view.ts'
import type { Kitchen } from '#gateway/kitchen/kitchen.ts'
import { openKitchen } from '#gateway/kitchen/open-kitchen.ts'
import { CloudLink } from '#gateway/link/cloud-link.ts'
import { PairingDesk, type PairingDeskOptions } from '#gateway/link/pairing-desk.ts'
import { OrderIntake } from '#gateway/orders/accept-order.ts'
import { DoubtDesk } from '#gateway/orders/doubt-desk.ts'
import { HistoryPruner } from '#gateway/orders/prune-history.ts'
import { HeldOrders } from '#gateway/orders/release-held-orders.ts'
import { ReportKeeper } from '#gateway/orders/report-keeper.ts'
import { TestOrders } from '#gateway/orders/test-order.ts'
import { certificateNames, ownNames, pageUrls, urlHere } from '#gateway/own-names.ts'
import { identifyAt, printerAddresses } from '#gateway/printer-addresses.ts'
import { printerTransport } from '#gateway/printer-transport.ts'
import type { PrinterTransport } from '#gateway/printers/transport.ts'
import { PrintQueue } from '#gateway/queue/print-queue.ts'
import { ReceiptLogo } from '#gateway/queue/receipt-logo.ts'
import { Rehearsal } from '#gateway/queue/rehearsal.ts'
import { RelayStatus } from '#gateway/relay-status.ts'
import { stationFacts } from '#gateway/station-facts.ts'
import { statusSource } from '#gateway/status-source.ts'
import { CloudConfigStore } from '#gateway/storage/cloud-config-store.ts'
import type { GatewayDatabase } from '#gateway/storage/database.ts'
import { DiskProof } from '#gateway/storage/disk-proof.ts'
import { ForgottenJobs } from '#gateway/storage/forgotten-jobs.ts'
import { HistoryStore } from '#gateway/storage/history-store.ts'
import { IdentityStore } from '#gateway/storage/identity-store.ts'
import { JobStore } from '#gateway/storage/job-store.ts'
import { LogoFile } from '#gateway/storage/logo-file.ts'
import { readMachine } from '#gateway/storage/machine.ts'
import { OrderKitchenRows } from '#gateway/storage/order-kitchen-rows.ts'
import { OrderStore } from '#gateway/storage/order-store.ts'
import { OutageStore } from '#gateway/storage/outage-store.ts'
import { PrintTimes } from '#gateway/storage/print-times.ts'
import { type PrinterRecord, PrinterStore } from '#gateway/storage/printer-store.ts'
import { markIfDamaged, openWithCare } from '#gateway/storage/quarantine.ts'
import { ReportBuckets } from '#gateway/storage/report-buckets.ts'
import { ReportSource } from '#gateway/storage/report-source.ts'
import { ReportStore } from '#gateway/storage/report-store.ts'
import { RoutingStore } from '#gateway/storage/routing-store.ts'
import { SessionStore } from '#gateway/storage/session-store.ts'
import { STATION_PAUSE_MS, StationLines } from '#gateway/storage/station-lines.ts'
import { TicketActs } from '#gateway/storage/ticket-acts.ts'
import { TicketContentStore } from '#gateway/storage/ticket-content-store.ts'
import { WaitingAge } from '#gateway/storage/waiting-age.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import { makeRoomToOpen } from '#shared/disk/disk-reserve.ts'
import { LOG_NARROWED, narrowDatabaseFiles } from '#shared/disk/file-modes.ts'
import type { Logger } from '#shared/log.ts'
import { webFiles } from '#shared/pages/web-assets.ts'
import { LOG_NOT_COPIED } from '#shared/quiet-checkpoint.ts'
import { ResvgRaster } from '#shared/raster/resvg-raster.ts'
import { RelayTime } from '#shared/relay-time.ts'
import type { Service } from '#shared/service.ts'
import { VERSION } from '#shared/version.ts'
import type { Pairing } from '#shared/wire/gateway-link.ts'

/** Name and version, as the relay and the page show them. */
export const APP = `ticketrail-gateway/${VERSION}`

export interface GatewayOptions {
  config: GatewayConfig
  clock: Clock
  random: () => number
  log: Logger
  /** The newest lines of `log`. */
  logs: LogRing
  /** A bug or a failed disk: the program must end and start again. */
  onFatal: (error: unknown) => void
  /** Resident memory of this process. */
  rssBytes: () => number
  /** What the system allows this process; null: no limit. */
  memoryLimitBytes: number | null
  /** Where the updater notes what it did; null: not installed as a package. */
  updateFolder: string | null
  /** The kernel's table of hardware addresses; default: /proc/net/arp. */
  arpFile?: string
}

interface Parts {
  care: BoxCare
  db: GatewayDatabase
  proof: DiskProof
  doubt: DoubtDesk
  queue: PrintQueue
  held: HeldOrders
  pruner: HistoryPruner
  report: ReportKeeper
  http: HttpServer
  kitchen: Kitchen
  told: RelayStatus
  pairing: PairingDesk
  raster: ResvgRaster
  rehearsal: Rehearsal
  control: ControlRoom
}

export class Gateway implements Service {
  readonly #options: GatewayOptions
  #parts: Parts | null = null

  constructor(options: GatewayOptions) {
    this.#options = options
  }

  /** Address of the page for a client on this machine; empty while stopped. */
  get httpUrl(): string {
    const port = this.#parts?.http.port ?? 0
    return port === 0 ? '' : urlHere(this.#options.config.GATEWAY_HTTP_HOST, port)
  }

  /** The queue prints and the database takes what comes. */
  get isReady(): boolean {
    return (this.#parts?.queue.started ?? false) && (this.#parts?.db.sqlite.open ?? false)
  }

  /** A failure that ends the program: when it was a damaged database, the next start replaces it. */
  noteFailure(error: unknown): void {
    markIfDamaged(this.#options.config.GATEWAY_DATABASE, error)
  }

  /**
   * Resolves when the queue prints and the page answers; the link connects afterwards by itself.
   * @throws CannotStart when port, database or control socket are in use
   */
  async start(): Promise<void> {
    if (this.#parts) return
    try {
      const parts = this.#build()
      this.#parts = parts
      await parts.care.start()
      await parts.doubt.start()
      // Printers first: they depend on no other part.
      await parts.queue.start()
      await parts.held.start()
      await parts.pruner.start()
      await parts.report.start()
      await parts.kitchen.start()
      await parts.http.start()
      await parts.control.start()
      await parts.told.start()
      await parts.pairing.start()
      await parts.rehearsal.start()
      // Last, and not awaited: a new key and its write to the card must not delay a ticket.
      void parts.http.startHttps()
    } catch (error) {
      await this.stop()
      throw whyNotStarted(error, this.#options.config)
    }
  }

  /** Lets the tickets in flight end while their results can still be reported, announces the stop, closes the file. At most about 4 s. */
  async stop(): Promise<void> {
    const parts = this.#parts
    if (!parts) return
    this.#parts = null
    const rehearsed = parts.rehearsal.stop()
    await parts.control.stop()
    await parts.held.stop()
    await parts.doubt.stop()
    await parts.queue.stop()
    await parts.pairing.stop()
    await parts.told.stop()
    await parts.http.stop()
    await parts.kitchen.stop()
    await parts.pruner.stop()
    await parts.report.stop()
    await parts.raster.stop()
    await parts.care.stop()
    await rehearsed
    parts.proof.stop()
    parts.db.close()
  }

  #build(): Parts {
    const { config, clock, random, log, onFatal, rssBytes, arpFile = ARP_FILE } = this.#options
    const db = this.#openDatabase()
    const identity = new IdentityStore(db)
    const time = new RelayTime(clock, identity.lastKnownMs())
    const reports = new ReportStore(db)
    const printers = new PrinterStore(db)
    const history = new HistoryStore(db)
    const jobs = new JobStore(db, reports, time)
    const proof = this.#diskProof(identity, jobs)
    const disk = proof.prove()
    const doubt = new DoubtDesk({ disk, door: jobs.door, isPaired: () => pairing.pairing !== null, clock, log })
    const care = this.#boxCare({ db, history, time, image: disk, doubt })
    let cloudPrinters: CloudPrinters | null = null
    const createLink = (paired: Pairing, credentials: PairingDesk): CloudLink => {
      cloudPrinters?.belongTo(paired.gatewayId)
      const config = cloudPrinters ? { config: cloudPrinters } : {}
      const forgotten = new ForgottenJobs(db, jobs.door)
      const stores = { identity, intake, reports, relayTime: time, kitchen: kitchen.facts, forgotten }
      const link = { pairing: paired, credentials, ...proof.names, doubt, ...config, ...stores }
      return new CloudLink({ ...link, status: told, clock, random, log, app: APP, rssBytes })
    }
    const pairing = this.#pairingDesk(identity, createLink)
    pairing.read()
    const access = boxAccess(db)
    const shared = { clock, log, time, jobs, history, site: siteOf(pairing.facts, access.box) }

    const addresses = printerAddresses(config, { db, printers, log })
    printers.apply(config.GATEWAY_PRINTERS, time.now())
    const routing = new RoutingStore(db)
    const intake = new OrderIntake({ ...shared, db, identity, printers, routing })
    intake.assignUnrouted()
    const createTransport = (printer: PrinterRecord, interrupted: boolean): PrinterTransport =>
      printerTransport(printer, interrupted, { printers, arpFile, addresses, clock, random, log })
    const acts = new TicketActs(jobs)
    const outages = new OutageStore(jobs.door, acts)
    const { logoFile, receiptLogo, raster, rehearsal } = this.#drawing({ db, printers, time })
    const people = { acts, outages, raster, logo: receiptLogo }
    const queue = new PrintQueue({ ...shared, ...people, printers, reports, random, createTransport, onFatal })
    queue.printersChanged.subscribe(() => intake.assignUnrouted())
    queue.printersChanged.subscribe(() => addresses.keepOnly(printers.all()))
    const kitchen = openKitchen({ ...shared, db, queue, intake, app: APP })
    const held = new HeldOrders({ ...shared, isTimeKnown: () => !pairing.pairing || time.offsetMs() !== null })
    const pruner = new HistoryPruner({ ...shared, db, identity })
    const counts = { ...shared, buckets: new ReportBuckets(db), source: new ReportSource(db) }
    const report = new ReportKeeper(counts)
    cloudPrinters = new CloudPrinters({
      ...{ queue, printers, store: new CloudConfigStore(db), log },
      ...{ interfaces: networkInterfaces, allowed: config.GATEWAY_CLOUD_PRINTERS },
    })
    const source = statusSource({ app: APP, clock, pairing, queue, history, time, db })
    const room = {
      ...{ ...shared, queue, printers, addresses, routing, logo: logoFile, receiptLogo, raster, pairing },
      ...{ cloudPrinters, kitchen, displays: kitchen.displays, screens: kitchen.presence },
      report: new KitchenReport(counts),
      testOrders: new TestOrders({ ...shared, intake }),
    }
    const control = this.#controlRoom({ ...room, ...access }, { db, reports, source, care })
    const told = new RelayStatus({ ...room, health: () => healthFor(control.control) })
    const changes = [db.committed, queue.changed, queue.printersChanged, kitchen.displays.changed, pairing.changed]
    const http = this.#httpServer({ source, control: control.control, access, db, changes, kitchen, time })
    const parts = { care, db, proof, doubt, queue, held, pruner, report, http, kitchen, told, pairing, raster }
    return { ...parts, rehearsal, control }
  }

  /** What draws tickets, and tries how long that takes. */
  #drawing({ db, printers, time }: { db: GatewayDatabase; printers: PrinterStore; time: RelayTime }) {
    const { config, clock, log } = this.#options
    const folder = dirname(config.GATEWAY_DATABASE)
    const logoFile = new LogoFile(join(folder, 'logo.png'))
    const raster = new ResvgRaster({ clock, log, packsFolder: join(folder, 'fonts') })
    const rehearsal = new Rehearsal({ contents: new TicketContentStore(db), printers, raster, time })
    return { logoFile, receiptLogo: new ReceiptLogo(logoFile, log), raster, rehearsal }
  }

  #httpServer({
    db,
    kitchen,
    time,
    ...parts
  }: Pick<HttpServerOptions, 'source' | 'control' | 'access' | 'changes'> & {
    db: GatewayDatabase
    kitchen: Kitchen
    time: RelayTime
  }): HttpServer {
    const { config, clock, log } = this.#options
    return new HttpServer({
      ...parts,
      ...this.#https(time),
      ...{
        host: config.GATEWAY_HTTP_HOST,
        port: config.GATEWAY_HTTP_PORT,
        ourNames: () => ownNames(config.GATEWAY_HTTP_HOST),
      },
      ...{ sessions: new SessionStore(db), files: webFiles(), kitchen: { kitchen, clock }, clock, log },
    })
  }

  #https(time: RelayTime): Pick<HttpServerOptions, 'https'> {
    const { config, clock, log } = this.#options
    const { GATEWAY_HTTPS_CERTIFICATE: certificateFile, GATEWAY_HTTPS_KEY: keyFile } = config
    const port = httpsPortOf(config)
    if (port === 0) return {}
    const certificate = new PageCertificate({
      file: join(dirname(config.GATEWAY_DATABASE), 'page-certificate.pem'),
      provided: certificateFile !== undefined && keyFile !== undefined ? { certificateFile, keyFile } : null,
      names: () => certificateNames(config.GATEWAY_HTTP_HOST),
      ...{ time, clock, log },
    })
    return { https: { port, certificate, allowsHttpSignIn: config.GATEWAY_HTTP_SIGN_IN === 'everywhere' } }
  }

  #pairingDesk(identity: IdentityStore, createLink: PairingDeskOptions['createLink']): PairingDesk {
    const { config, clock, log } = this.#options
    return new PairingDesk({
      ...{ file: config.GATEWAY_PAIRING_FILE, relayUrl: config.GATEWAY_RELAY_URL, createLink, clock, log },
      ...{ stream: () => identity.stream(), app: APP, hardware: `${type()} ${arch()}` },
    })
  }

  #boxCare(parts: Pick<BoxCareOptions, 'db' | 'history' | 'time' | 'image' | 'doubt'>): BoxCare {
    const { config, clock, log, rssBytes, memoryLimitBytes, updateFolder } = this.#options
    const file = config.GATEWAY_DATABASE
    return new BoxCare({ file, ...parts, clock, log, rssBytes, memoryLimitBytes, updateFolder })
  }

  #diskProof(identity: IdentityStore, jobs: JobStore): DiskProof {
    const { config, clock, log } = this.#options
    const databaseFile = config.GATEWAY_DATABASE
    return new DiskProof({
      ...{ door: jobs.door, databaseFile, folder: config.GATEWAY_PROOF_FOLDER, stream: identity.stream() },
      ...{ machine: readMachine(databaseFile), clock, log },
    })
  }

  #openDatabase(): GatewayDatabase {
    const { config, clock, log, onFatal } = this.#options
    const file = config.GATEWAY_DATABASE
    makeRoomToOpen(file)
    const narrowed = narrowDatabaseFiles(file)
    if (narrowed.length > 0) log.warn({ files: narrowed }, LOG_NARROWED)
    const { db, replacement } = openWithCare(file, { exclusive: true }, clock.now())
    if (replacement) log.error(replacement, 'the database was damaged and has been replaced')
    db.failed.subscribe((error) => {
      this.noteFailure(error)
      onFatal(error)
    })
    db.copyFailed.subscribe((err) => log.warn({ err }, LOG_NOT_COPIED))
    return db
  }

  #controlRoom(
    room: Pick<
      ControlRoomOptions,
      | 'clock'
      | 'log'
      | 'time'
      | 'history'
      | 'queue'
      | 'printers'
      | 'routing'
      | 'logo'
      | 'receiptLogo'
      | 'site'
      | 'pairing'
      | 'cloudPrinters'
      | 'displays'
      | 'screens'
      | 'kitchen'
      | 'testOrders'
      | 'report'
      | keyof BoxAccess
    > & { raster: ResvgRaster; addresses: PrinterAddressPolicy },
    { db, reports, source, care }: { db: GatewayDatabase; reports: ReportStore; source: StatusSource; care: BoxCare },
  ): ControlRoom {
    const { config, clock, random, logs, rssBytes, arpFile = ARP_FILE } = this.#options
    const { GATEWAY_HTTP_HOST: host } = config
    const https = (): HttpsAnswer => this.#parts?.http.https ?? NO_HTTPS
    const stationLines = new StationLines(db, () => clock.sleep(STATION_PAUSE_MS))
    const displayUrls = (): string[] => pageUrls(host, 'http', this.#parts?.http.port ?? 0)
    return new ControlRoom({
      ...room,
      arpFile,
      logs,
      ...{ boxFacts: () => care.facts(), ways: () => stationFacts(room) },
      ...{ https, httpsSettled: async () => await this.#parts?.http.httpsSettled() },
      pageUrls: () => (https().state === 'on' ? pageUrls(host, 'https', https().port) : displayUrls()),
      displayUrls,
      machine: () => ({
        app: APP,
        system: type(),
        architecture: arch(),
        rssBytes: rssBytes(),
        wallTime: toIso(clock.now()),
      }),
      ...{ socketPath: controlSocketOf(config), networks: config.GATEWAY_DISCOVERY_NETWORKS },
      printsSetupTicket: config.GATEWAY_PRINT_SETUP_TICKET === 'yes',
      contents: new TicketContentStore(db),
      ...{ printTimes: new PrintTimes(db), waiting: new WaitingAge(db), stationLines },
      ...{ orders: new OrderStore(db), orderKitchen: new OrderKitchenRows(db) },
      atomically: (work) => db.transaction(work),
      identify: (asked, signal) => identifyAt(asked, room.addresses, { clock, random, signal }),
      fontPacks: () => room.raster.fontPacks(),
      about: () => ({ ...source, ready: source.isReady(), link: source.link(), unreported: reports.count() }),
    })
  }
}
