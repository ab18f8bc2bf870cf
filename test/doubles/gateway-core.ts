// The gateway's stores, intake and queue over a real SQLite file, with scripted printers and a clock that the test moves.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OrderIntake } from '#gateway/orders/accept-order.ts'
import { HeldOrders } from '#gateway/orders/release-held-orders.ts'
import { PrintQueue } from '#gateway/queue/print-queue.ts'
import { ReceiptLogo } from '#gateway/queue/receipt-logo.ts'
import { type GatewayDatabase, openGatewayDatabase } from '#gateway/storage/database.ts'
import { HistoryStore } from '#gateway/storage/history-store.ts'
import { IdentityStore } from '#gateway/storage/identity-store.ts'
import { JobStore } from '#gateway/storage/job-store.ts'
import { LogoFile } from '#gateway/storage/logo-file.ts'
import { OutageStore } from '#gateway/storage/outage-store.ts'
import { type PrinterSetting, PrinterStore } from '#gateway/storage/printer-store.ts'
import { ReportStore } from '#gateway/storage/report-store.ts'
import { RoutingStore } from '#gateway/storage/routing-store.ts'
import { TicketActs } from '#gateway/storage/ticket-acts.ts'
import { createLogger, type Logger } from '#shared/log.ts'
import type { KitchenOrder } from '#shared/order.ts'
import type { PrinterSettings } from '#shared/printer-settings.ts'
import { RelayTime } from '#shared/relay-time.ts'
import type { JobMessage } from '#shared/wire/gateway-link.ts'
import { openFreshGatewayDatabase } from '#test/fixtures/fresh-gateway-database.ts'
import { ManualClock } from './manual-clock.ts'
import { ScriptedTransport } from './scripted-transport.ts'

export const GRILL: PrinterSetting = {
  name: 'Grill',
  host: '127.0.0.1',
  port: 9100,
  profileId: 'epson-thermal-203',
  stations: ['grill'],
}
export const FRY: PrinterSetting = { ...GRILL, name: 'Fry', port: 9101, stations: ['fry'] }

/** What no line of a log may hold: the customer that `order` names, and what tests call a canary. */
const SECRET = /canary|555-0101/i

export class GatewayCore {
  readonly dir: string
  readonly clock: ManualClock
  readonly db: GatewayDatabase
  readonly identity: IdentityStore
  readonly reports: ReportStore
  readonly printers: PrinterStore
  readonly history: HistoryStore
  readonly routing: RoutingStore
  readonly logo: LogoFile
  readonly jobs: JobStore
  readonly acts: TicketActs
  readonly outages: OutageStore
  readonly intake: OrderIntake
  readonly held: HeldOrders
  readonly queue: PrintQueue
  readonly relayTime: RelayTime
  readonly transports = new Map<string, ScriptedTransport>()
  readonly fatal: unknown[] = []
  /** Everything is logged, and `stop` looks at it. */
  readonly log: Logger
  /** Each line, as it would stand in the file. */
  readonly logged: string[] = []
  /** Whether the relay's time is known, as the held orders ask it. */
  isTimeKnown = (): boolean => true

  /** @param dir folder of an earlier core, to go on with its file */
  constructor(
    printers: readonly PrinterSetting[] = [GRILL],
    { dir, clock }: { dir?: string; clock?: ManualClock } = {},
  ) {
    this.dir = dir ?? mkdtempSync(join(tmpdir(), 'gateway-core-'))
    this.clock = clock ?? new ManualClock()
    const file = join(this.dir, 'gateway.db')
    this.db = existsSync(file) ? openGatewayDatabase(file) : openFreshGatewayDatabase(file)
    this.identity = new IdentityStore(this.db)
    this.reports = new ReportStore(this.db)
    this.printers = new PrinterStore(this.db)
    this.history = new HistoryStore(this.db)
    this.routing = new RoutingStore(this.db)
    this.logo = new LogoFile(join(this.dir, 'logo.png'))
    this.relayTime = new RelayTime(this.clock, this.identity.lastKnownMs())
    this.jobs = new JobStore(this.db, this.reports, this.relayTime)
    this.acts = new TicketActs(this.jobs)
    this.outages = new OutageStore(this.jobs.door, this.acts)
    const { db, identity, jobs, acts, outages, relayTime: time } = this
    const log = createLogger('gateway', 'trace', { destination: { write: (line) => this.logged.push(line) } })
    this.log = log
    const shared = { clock: this.clock, log, time }
    this.printers.apply(printers, this.clock.now())
    this.intake = new OrderIntake({ db, identity, jobs, printers: this.printers, routing: this.routing, ...shared })
    this.held = new HeldOrders({ jobs, ...shared, isTimeKnown: () => this.isTimeKnown() })
    this.queue = new PrintQueue({
      logo: new ReceiptLogo(this.logo, log),
      jobs,
      acts,
      outages,
      history: this.history,
      printers: this.printers,
      reports: this.reports,
      createTransport: (printer) => this.transport(printer.printerId),
      random: () => 0.5,
      ...shared,
      onFatal: (error) => this.fatal.push(error),
    })
  }

  transport(printerId: string): ScriptedTransport {
    const known = this.transports.get(printerId)
    if (known) return known
    const transport = new ScriptedTransport(this.clock)
    this.transports.set(printerId, transport)
    return transport
  }

  /** The job of the next sequence number, or of the one given. */
  job(jobId: string, over: Partial<JobMessage> & { order?: Partial<KitchenOrder> } = {}): JobMessage {
    const { order, ...rest } = over
    return {
      v: 1,
      t: 'job',
      id: `m-${jobId}`,
      ts: this.clock.now(),
      e: 1,
      jobId,
      stream: this.identity.stream(),
      seq: this.identity.lastSeq() + 1,
      doc: { kind: 'order', order: this.order({ orderId: `O-${jobId}`, ...order }) },
      notBefore: null,
      expiresAt: null,
      possibleDuplicate: false,
      ...rest,
    }
  }

  order(over: Partial<KitchenOrder> = {}): KitchenOrder {
    return {
      serviceOrderId: 'ord_1',
      orderId: 'O-1',
      merchantId: 'M-1',
      locationId: 'loc_1',
      source: 'kiosk',
      posOrderId: null,
      queuedAtMs: this.clock.now(),
      fireAtMs: null,
      readyByMs: null,
      timeZone: 'America/New_York',
      customer: { name: 'Ana Canary', phone: '555-0101' },
      items: [{ umsId: 'U-1', name: 'Cheeseburger', qty: 1, modifiers: [], station: 'grill' }],
      ...over,
    }
  }

  /** Takes one job and says where the stream then stands. */
  accept(jobId: string, over: Parameters<GatewayCore['job']>[1] = {}): void {
    this.intake.accept([this.job(jobId, over)])
  }

  /** State of each ticket by its id, as it stands on disk. */
  states(): Record<string, string> {
    const rows = this.db.sqlite.prepare('select ticket_id, state from tickets order by position').all()
    return Object.fromEntries((rows as { ticket_id: string; state: string }[]).map((row) => [row.ticket_id, row.state]))
  }

  /** Resolves with the result of this job as soon as it is in the outbox. */
  async result(jobId: string) {
    for (;;) {
      const found = this.reports.open(1_000).find((report) => report.jobId === jobId)
      if (found) return found.payload
      await this.reports.changed.next()
    }
  }

  /** Lets time pass in short steps, because layout takes turns of its own. */
  async pass(ms: number): Promise<void> {
    await this.clock.advance(0)
    for (let left = ms; left > 0; left -= 500) await this.clock.advance(Math.min(500, left))
    await this.clock.advance(0)
  }

  /** What the restaurant decides about a printer. */
  set(printerId: string, settings: Partial<PrinterSettings>): void {
    const change = this.printers.update(printerId, { settings })
    if (!change.ok) throw new Error(`${printerId}: ${change.reason}`)
  }

  /** As after a power cut: the file stays as it is on disk, nothing is finished. */
  crash(): GatewayCore {
    this.#requireQuietLog()
    this.db.sqlite.close()
    return new GatewayCore([], { dir: this.dir, clock: new ManualClock(this.clock.now()) })
  }

  /** @throws Error when a log line told what stands in an order */
  async stop(): Promise<void> {
    const stopped = this.queue.stop()
    await this.clock.advance(5_000)
    await stopped
    await this.held.stop()
    this.db.close()
    rmSync(this.dir, { recursive: true, force: true })
    this.#requireQuietLog()
  }

  #requireQuietLog(): void {
    const told = this.logged.find((line) => SECRET.test(line))
    if (told !== undefined) throw new Error(`the log tells what an order says: ${told}`)
  }
}
