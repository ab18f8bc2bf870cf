// The box of one test: real stores in real files, the real link, a kitchen that notes its paper, and a disk that can be lost or be an older image.
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { CloudLink } from '#gateway/link/cloud-link.ts'
import { OrderIntake } from '#gateway/orders/accept-order.ts'
import { DoubtDesk } from '#gateway/orders/doubt-desk.ts'
import { type GatewayDatabase, openGatewayDatabase } from '#gateway/storage/database.ts'
import { DiskProof } from '#gateway/storage/disk-proof.ts'
import { ForgottenJobs } from '#gateway/storage/forgotten-jobs.ts'
import { HistoryStore } from '#gateway/storage/history-store.ts'
import { IdentityStore } from '#gateway/storage/identity-store.ts'
import { JobStore } from '#gateway/storage/job-store.ts'
import { readMachine } from '#gateway/storage/machine.ts'
import { PrinterStore } from '#gateway/storage/printer-store.ts'
import { ReportStore } from '#gateway/storage/report-store.ts'
import { RoutingStore } from '#gateway/storage/routing-store.ts'
import type { ClaimedTicket } from '#gateway/storage/ticket-rows.ts'
import { systemClock } from '#shared/clock.ts'
import type { GatewayId } from '#shared/ids.ts'
import { RelayTime } from '#shared/relay-time.ts'
import { Signal } from '#shared/signal.ts'
import type { LinkTopics } from '#shared/wire/gateway-link.ts'
import { FaultProxy } from '#test/doubles/fault-proxy.ts'

const log: Logger = pino({ level: process.env['LINK_LOG'] ?? 'silent' })

export interface Paper {
  jobId: string
  kind: string
  marked: boolean
  /** What the kitchen reads. */
  text: string
}

export class GatewaySide {
  readonly file: string
  readonly proxy = new FaultProxy()
  /** Every ticket that came out, in order, over all restarts and disks. */
  readonly paper: Paper[] = []
  /** False = tickets wait in the queue. */
  printing = true
  readonly pairing: { gatewayId: GatewayId; token: string; topics: LinkTopics }
  db!: GatewayDatabase
  identity!: IdentityStore
  reports!: ReportStore
  jobs!: JobStore
  link!: CloudLink
  /** What the box kept of its disk when an image of it was made. */
  readonly #image: string
  readonly #proofFolder: string
  #proof!: DiskProof
  #doubt!: DoubtDesk
  #running = false

  constructor(dir: string, pairing: { gatewayId: GatewayId; token: string; topics: LinkTopics }) {
    this.file = join(dir, 'gateway.db')
    this.#image = join(dir, 'image.db')
    this.#proofFolder = join(dir, 'proof')
    this.pairing = pairing
  }

  get gatewayId(): GatewayId {
    return this.pairing.gatewayId
  }

  async start(proxyPort: number): Promise<void> {
    this.db = openGatewayDatabase(this.file)
    this.identity = new IdentityStore(this.db)
    this.reports = new ReportStore(this.db)
    const relayTime = new RelayTime(systemClock, this.identity.lastKnownMs())
    this.jobs = new JobStore(this.db, this.reports, relayTime)
    this.#proof = new DiskProof({
      ...{ door: this.jobs.door, databaseFile: this.file, folder: this.#proofFolder, stream: this.identity.stream() },
      ...{ machine: readMachine(this.file), clock: systemClock, log },
    })
    const disk = this.#proof.prove()
    this.#doubt = new DoubtDesk({ disk, door: this.jobs.door, isPaired: () => true, clock: systemClock, log })
    const printers = new PrinterStore(this.db)
    printers.apply([{ name: 'P', host: '127.0.0.1', port: 1, profileId: null, stations: [] }], 0)
    const { db, identity, jobs, reports } = this
    const clock = systemClock
    const routing = new RoutingStore(db)
    const intake = new OrderIntake({
      db,
      identity,
      jobs,
      printers,
      routing,
      clock,
      log,
      site: { gatewayId: this.gatewayId },
    })
    const history = new HistoryStore(db)
    const snapshot = () => {
      const { queued, held } = history.counts()
      return { printers: [], queue: { queued, held, unreported: reports.count() } }
    }
    const status = { snapshot, isPrinting: () => history.isAnyQueued(), changed: new Signal() }
    this.link = new CloudLink({
      pairing: { ...this.pairing, brokerUrl: `mqtt://127.0.0.1:${proxyPort}`, merchantName: '', timeZone: 'UTC' },
      ...{ identity, intake, reports, status, relayTime, clock, log },
      ...{ ...this.#proof.names, doubt: this.#doubt, forgotten: new ForgottenJobs(db, jobs.door) },
      random: Math.random,
      app: 'test/1',
      tuning: { keepaliveSeconds: 2, welcomeTimeoutMs: 1_500 },
    })
    this.#running = true
    jobs.door.recover(9, () => false)
    await this.#doubt.start()
    this.#print()
    return this.link.start()
  }

  async stop(): Promise<void> {
    this.#running = false
    await this.link.stop()
    await this.#doubt.stop()
    this.#proof.stop()
    this.db.close()
  }

  /** Without goodbye, and whatever is not on disk is lost. */
  async crash(): Promise<void> {
    this.#running = false
    this.db.sqlite.close()
    this.proxy.cutAll()
    await this.link.stop()
    await this.#doubt.stop()
    // What the dead process had armed dies with it.
    this.#proof.stop()
  }

  /** Keeps an image of the disk, as a technician does. */
  makeImage(): void {
    rmSync(this.#image, { force: true })
    this.db.sqlite.prepare('vacuum into ?').run(this.#image)
  }

  /** Puts the image back, if there is one: an older disk of the same machine. The gateway must not run. */
  restoreImage(): void {
    if (!existsSync(this.#image)) return
    this.wipe()
    copyFileSync(this.#image, this.file)
  }

  /** The disk is gone: a new one has no memory. */
  wipe(): void {
    for (const end of ['', '-wal', '-shm']) rmSync(this.file + end, { force: true })
  }

  /** The printer takes tickets from now on. */
  letPrint(): void {
    this.printing = true
    this.#print()
  }

  #print(): void {
    if (this.printing && this.#running) this.jobs.door.take('p', (ticket) => this.#onPaper(ticket))
  }

  #onPaper(ticket: ClaimedTicket): void {
    const doc = ticket.content?.doc
    const text = doc?.kind === 'order' ? (doc.order.items[0]?.note ?? '') : ''
    this.paper.push({ jobId: ticket.jobId, kind: ticket.kind, marked: ticket.possibleDuplicate, text })
    const { jobs } = this
    setImmediate(() => {
      if (!this.#running || jobs !== this.jobs) return
      const nowMs = systemClock.now()
      const end = { confirmation: 'confirmed', method: 'gs-r', firstByteAtMs: nowMs, printedAtMs: nowMs } as const
      const next = this.printing ? (following: ClaimedTicket) => this.#onPaper(following) : null
      jobs.door.settle(ticket, { kind: 'printed', ...end }, next)
    })
  }
}
