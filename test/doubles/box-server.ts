// The box's page over real sockets: stores, queue, operations and routes as in the gateway, with scripted printers and a clock that the test moves.
import { type IncomingMessage, request } from 'node:http'
import { request as requestByTls } from 'node:https'
import { join } from 'node:path'
import { pino } from 'pino'
import type { BoxFacts } from '#gateway/care/health-facts.ts'
import { PageCertificate } from '#gateway/certificate/page-certificate.ts'
import { boxAccess, siteOf } from '#gateway/control/box-access.ts'
import type { ControlContext } from '#gateway/control/context.ts'
import { Control } from '#gateway/control/control.ts'
import { controlHandlers } from '#gateway/control/handlers.ts'
import { KitchenReport } from '#gateway/control/kitchen-report.ts'
import { LogRing } from '#gateway/control/log-ring.ts'
import type { FoundElsewhere } from '#gateway/control/printer-device.ts'
import { PrinterDiscovery } from '#gateway/discovery/discovery.ts'
import type { ConnectionLimits } from '#gateway/http/connection-limits.ts'
import { HttpServer } from '#gateway/http/server.ts'
import type { Kitchen } from '#gateway/kitchen/kitchen.ts'
import { openKitchen } from '#gateway/kitchen/open-kitchen.ts'
import { TestOrders } from '#gateway/orders/test-order.ts'
import { ReceiptLogo } from '#gateway/queue/receipt-logo.ts'
import { stationFacts } from '#gateway/station-facts.ts'
import { OrderKitchenRows } from '#gateway/storage/order-kitchen-rows.ts'
import { OrderStore } from '#gateway/storage/order-store.ts'
import { PrintTimes } from '#gateway/storage/print-times.ts'
import type { PrinterSetting } from '#gateway/storage/printer-store.ts'
import { ReportBuckets } from '#gateway/storage/report-buckets.ts'
import { ReportSource } from '#gateway/storage/report-source.ts'
import { SessionStore } from '#gateway/storage/session-store.ts'
import { StationLines } from '#gateway/storage/station-lines.ts'
import { TicketContentStore } from '#gateway/storage/ticket-content-store.ts'
import { WaitingAge } from '#gateway/storage/waiting-age.ts'
import type { CertificateFiles } from '#shared/certificate/certificate-files.ts'
import { Passwords } from '#shared/pages/passwords.ts'
import { filesOfFolder } from '#shared/pages/web-assets.ts'
import type { SiteFacts } from '#shared/site-facts.ts'
import { GatewayCore } from './gateway-core.ts'

export interface PageAnswer {
  status: number
  headers: IncomingMessage['headers']
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  body: any
}

/** The rule of addresses has tests of its own. */
const ANY_ADDRESS: ControlContext['addresses'] = {
  check: async () => {},
  allow: () => {},
  notesOf: () => [],
}

export const PASSWORD = 'kitchen-2026'

export interface BoxServerOptions {
  dir?: string
  printers?: readonly PrinterSetting[]
  limits?: ConnectionLimits
  /** Default: hashes that cost next to nothing. */
  passwords?: Passwords
  /** Absent: http only. */
  https?: { allowsHttpSignIn?: boolean; port?: number; own?: CertificateFiles }
}

export class BoxServer {
  readonly core: GatewayCore
  readonly access: ReturnType<typeof boxAccess>
  readonly site: SiteFacts
  readonly kitchen: Kitchen
  readonly logs = new LogRing()
  readonly control: Control
  readonly http: HttpServer
  /** A device that may be a printer at another address. */
  found: FoundElsewhere | null = null
  boxFacts: BoxFacts = {
    disk: { freeBytes: 5e9, totalBytes: 32e9, isFull: false },
    memory: { rssBytes: 90e6, limitBytes: 256e6 },
    clock: { offsetMs: 120, behindLastRunMs: 0 },
    temperatureCelsius: 48.3,
    storageWearPercent: null,
    ...{ database: null, update: null, nowMs: 0, unheard: [] },
    image: { doubt: null, marked: 0, proofFile: '', withdrawn: 0, isHolding: false },
  }
  link = { state: 'connected', detail: '', sinceMs: 0 }
  merchantName = 'Bistro'

  constructor({ dir, printers, limits, passwords, https }: BoxServerOptions = {}) {
    this.core = new GatewayCore(printers, dir === undefined ? {} : { dir })
    const { core } = this
    const { clock, db, relayTime: time } = core
    const log = pino({ level: 'info' }, { write: (line: string) => this.logs.write(line) })
    // The real costs have their own test.
    this.access = { ...boxAccess(db), passwords: passwords ?? new Passwords({ N: 16, r: 1, p: 1 }) }
    this.site = siteOf({ gatewayId: 'gw_1', merchantName: 'Bistro', timeZone: 'UTC' }, this.access.box)
    this.kitchen = openKitchen({ ...{ clock, log, time, site: this.site, db, app: 'test' }, ...core })
    const handlers = controlHandlers(this.#context(log), { notesOf: () => [], foundOf: () => this.found })
    this.control = new Control(handlers, log)
    this.http = new HttpServer({
      ...{ host: '127.0.0.1', port: 0, ourNames: () => new Set(['127.0.0.1', 'localhost']), clock, log },
      source: {
        app: 'ticketrail-gateway/test',
        gatewayId: 'gw_1',
        merchantName: this.merchantName,
        isReady: () => true,
        link: () => ({ state: 'connected', sinceMs: clock.now(), detail: '' }),
        printers: () => core.queue.printers(),
        queue: () => core.queue.waiting(),
        recent: (limit) => core.history.recent(limit),
        nowMs: () => time.now(),
        wallMs: () => clock.now(),
      },
      ...{
        control: this.control,
        access: this.access,
        sessions: new SessionStore(db),
        kitchen: { kitchen: this.kitchen, clock },
      },
      changes: [db.committed, core.queue.changed, core.queue.printersChanged, this.kitchen.displays.changed],
      files: filesOfFolder(join(core.dir, 'web')),
      ...(limits && { limits }),
      ...(https && {
        https: {
          ...{ port: https.port ?? 0, allowsHttpSignIn: https.allowsHttpSignIn ?? false },
          certificate: new PageCertificate({
            ...{ file: join(core.dir, 'page-certificate.pem'), provided: https.own ?? null, clock, time, log },
            names: () => ['127.0.0.1', 'localhost'],
          }),
        },
      }),
    })
  }

  async start(): Promise<void> {
    await this.core.queue.start()
    await this.http.start()
    await this.http.startHttps()
  }

  async stop(): Promise<void> {
    await this.http.stop()
    await this.kitchen.stop()
    await this.core.stop()
  }

  get origin(): string {
    return `http://127.0.0.1:${this.http.port}`
  }

  /** A browser without a session, by http from this machine unless said otherwise. */
  browser(way: PageWay = {}): PageBrowser {
    return new PageBrowser(way.isHttps ? this.http.https.port : this.http.port, way)
  }

  /** A browser in which this person is signed in, who is made for it. */
  async signedIn(
    role: 'technician' | 'manager',
    name = role === 'technician' ? 'Tea' : 'Max',
    way: PageWay = {},
  ): Promise<PageBrowser> {
    const password = await this.access.passwords.hash(PASSWORD)
    this.access.users.add({ name, role, password }, this.core.clock.now())
    const browser = this.browser(way)
    const { status, text } = await browser.post('/api/v1/session', { name, password: PASSWORD })
    if (status !== 200) throw new Error(`${name} could not sign in: ${status} ${text}`)
    return browser
  }

  /** A screen of the kitchen that is signed in. */
  display(name = 'Pass'): PageBrowser {
    const { displays } = this.kitchen
    const added = displays.add({ name, stations: [], language: 'en', backupPrinterId: null }, this.core.clock.now())
    if (!added.ok) throw new Error(added.reason)
    const made = displays.newCode(added.display.displayId, this.core.clock.now())
    const claimed = displays.claim(made?.code ?? '', this.core.clock.now())
    const browser = this.browser()
    browser.cookies.set('ticketrail_display', claimed?.token ?? '')
    return browser
  }

  #context(log: ControlContext['log']): ControlContext {
    const { core, access, kitchen, logs } = this
    const { clock, db, relayTime: time } = core
    return {
      ...{ ...access, logs, log, clock, time },
      ...{ queue: core.queue, printers: core.printers, history: core.history, routing: core.routing, logo: core.logo },
      contents: new TicketContentStore(db),
      receiptLogo: new ReceiptLogo(core.logo, log),
      discovery: new PrinterDiscovery({ clock, log, networks: [] }),
      addresses: ANY_ADDRESS,
      identify: async () => ({ kind: 'unreachable', reason: 'timed-out', hint: '', peer: null }),
      raster: null,
      fontPacks: async () => [],
      boxFacts: () => this.boxFacts,
      ways: () => stationFacts({ ...core, displays: kitchen.displays, screens: kitchen.presence }),
      ...{
        printTimes: new PrintTimes(db),
        waiting: new WaitingAge(db),
        stationLines: new StationLines(db, async () => {}),
      },
      ...{ orders: new OrderStore(db), orderKitchen: new OrderKitchenRows(db) },
      report: new KitchenReport({
        ...{ buckets: new ReportBuckets(db), source: new ReportSource(db), site: this.site, clock, time },
      }),
      atomically: (work) => db.transaction(work),
      machine: () => ({ system: 'test' }),
      pageUrls: () => ['http://192.168.1.7/', 'http://kitchen-7f3a.local/'],
      displayUrls: () => ['http://192.168.1.7/'],
      https: () => this.http.https,
      httpsSettled: () => this.http.httpsSettled(),
      about: () => ({
        ...{ app: 'ticketrail-gateway/test', gatewayId: 'gw_1', merchantName: 'Bistro', ready: true, unreported: 0 },
        link: this.link,
      }),
      site: this.site,
      pairing: {
        pair: async () => {
          throw new Error('no relay here')
        },
        unpair: async () => false,
      },
      displays: kitchen.displays,
      screens: kitchen.presence,
      kitchen,
      testOrders: new TestOrders({ ...{ time, site: { timeZone: 'UTC' } }, ...core }),
      cloudPrinters: {
        nameOf: () => null,
        notesOf: () => [],
        result: () => null,
      } as unknown as ControlContext['cloudPrinters'],
    }
  }
}

/** How a browser comes to the box. */
export interface PageWay {
  isHttps?: boolean
  /** Loopback's other addresses stand for other machines of the network; default: this machine. */
  from?: string
}

/** A browser as the box sees it: it keeps cookies and names its origin. By https it takes any certificate. */
export class PageBrowser {
  readonly cookies = new Map<string, string>()
  readonly #port: number
  readonly #way: PageWay

  constructor(port: number, way: PageWay = {}) {
    this.#port = port
    this.#way = way
  }

  get origin(): string {
    return `${this.#way.isHttps ? 'https' : 'http'}://127.0.0.1:${this.#port}`
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<PageAnswer> {
    return await this.send('GET', path, undefined, headers)
  }

  async post(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<PageAnswer> {
    return await this.send('POST', path, body, headers)
  }

  /** An operation. */
  async perform(name: string, body: unknown = {}): Promise<PageAnswer> {
    return await this.post(`/api/v1/${name}`, body)
  }

  /** @param headers an empty one is left out, also one that a browser would send */
  async send(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<PageAnswer> {
    const incoming = await this.open(method, path, body, headers)
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, text, body: parsed(text) }
  }

  /** The answer as it begins: for streams. */
  open(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<IncomingMessage> {
    const content = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
    const all: Record<string, string> = {
      ...(method === 'GET' ? {} : { origin: this.origin }),
      ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      ...(this.cookies.size === 0
        ? {}
        : { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
      ...headers,
    }
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
    const { isHttps, from } = this.#way
    const to = { host: '127.0.0.1', port: this.#port, method, path, headers: sent, ...(from && { localAddress: from }) }
    return new Promise((resolve, reject) => {
      const heard = (incoming: IncomingMessage): void => {
        for (const line of incoming.headers['set-cookie'] ?? []) this.#keep(line)
        resolve(incoming)
      }
      const outgoing = isHttps ? requestByTls({ ...to, rejectUnauthorized: false }, heard) : request(to, heard)
      outgoing.on('error', reject)
      outgoing.end(content)
    })
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';')
    const [name = '', value = ''] = pair.split('=')
    if (value === '') this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
