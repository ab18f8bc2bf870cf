// A whole restaurant on loopback: relay and gateway as real processes, a virtual printer, a client with a webhook receiver.
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenApiDocument } from '#cloud/api/openapi/json-schema.ts'
import type { PlanOverrides } from '#cloud/billing/plans.ts'
import { provisionDemo } from '#cloud/sandbox/provision-demo.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { systemClock } from '#shared/clock.ts'
import type { Pairing } from '#shared/wire/gateway-link.ts'
import { holdToDocument, NotAsDocumented } from '#test/contract/check-answer.ts'
import { ownPort } from '#test/doubles/own-port.ts'
import { compiledCode } from './compiled-code.ts'
import { foldersOfSites, Program } from './program.ts'

export interface SiteOptions {
  /** `name=host:port` list for GATEWAY_PRINTERS. */
  printers: string
  /** Port that the gateway connects to instead of the relay's own, such as a fault proxy's. */
  brokerPort?: () => number
  cloudEnv?: Readonly<Record<string, string>>
  gatewayEnv?: Readonly<Record<string, string>>
  /** Command of a packaged gateway instead of this tree's. */
  gatewayProgram?: readonly string[]
  /** Keep every log line in memory, for tests that read the walk. */
  keepLog?: boolean
  /** Puts more into the relay's database before it starts. */
  fill?: (db: RelayDatabase) => Promise<void>
}

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the body of any answer
  body: any
}

/** An order that fits the demo catalog; `note` marks it so that it can be found on paper. */
export interface TestOrder {
  orderId: string
  note?: string
  fireAt?: string
  print?: boolean
  qty?: number
  /** `orderId` of the order that this one adds to. */
  addOnTo?: string
  /** One line for each of these courses, instead of one line. */
  courses?: readonly number[]
  /** Further fields of the order. */
  details?: object
}

/** The contract of the account. */
export const UNTHROTTLED: PlanOverrides = {
  sandbox: {
    steadyPerMinute: 1_000_000,
    burstPerMinute: 10_000_000,
    bodyBytesPerMinute: 99_999_999,
    webhookEventsPerHour: null,
  },
}

export class Site {
  readonly dir = mkdtempSync(join(foldersOfSites(), 'ticketrail-site-'))
  readonly cloud: Program
  readonly gateway: Program
  apiKey = ''
  merchantId = ''
  umsIds: readonly string[] = []
  cloudUrl = ''
  gatewayUrl = ''
  mqttPort = 0
  readonly #options: SiteOptions
  #document: OpenApiDocument | null = null
  #pairing: Omit<Pairing, 'brokerUrl'> | null = null

  constructor(options: SiteOptions) {
    this.#options = options
    const keepLog = options.keepLog ?? false
    this.cloud = new Program(
      'cloud/main.ts',
      {
        CLOUD_DATABASE: join(this.dir, 'cloud/relay.db'),
        CLOUD_MASTER_KEY: randomBytes(32).toString('base64'),
        CLOUD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
        ...options.cloudEnv,
      },
      keepLog,
    )
    const { gatewayProgram } = options
    this.gateway = new Program(
      gatewayProgram ? 'run' : 'gateway/main.ts',
      {
        GATEWAY_DATABASE: join(this.dir, 'gateway/gateway.db'),
        GATEWAY_PROOF_FOLDER: join(this.dir, 'proof'),
        GATEWAY_PAIRING_FILE: this.pairingFile,
        GATEWAY_PRINTERS: options.printers,
        // As `npm start` and `npm run gateway` do: from the second start on not even main.ts needs the type stripper in memory.
        NODE_COMPILE_CACHE: join(this.dir, 'compile-cache'),
        ...compiledCode(options.gatewayProgram?.[0] ?? process.execPath, 'gateways'),
        ...options.gatewayEnv,
      },
      keepLog,
      // As `npm run gateway` does: a small young generation keeps the box's memory flat.
      gatewayProgram ? [] : ['--max-semi-space-size=1'],
      gatewayProgram,
    )
  }

  get pairingFile(): string {
    return join(this.dir, 'gateway/pairing.json')
  }

  /** Provisions the demo account and starts both programs. */
  async start(): Promise<void> {
    const file = this.#options.cloudEnv?.['CLOUD_DATABASE'] ?? join(this.dir, 'cloud/relay.db')
    const db = await SqliteDatabase.open(file, (error) => {
      throw error
    })
    const demo = await provisionDemo(db, systemClock)
    // Tests and benches send more than a sandbox account may: this one has a contract.
    await db.unit((tx) =>
      tx
        .updateTable('accounts')
        .set({ plan_overrides: JSON.stringify(UNTHROTTLED) })
        .execute(),
    )
    await this.#options.fill?.(db)
    await db.close()
    this.apiKey = demo.apiKey
    this.merchantId = demo.merchantId
    this.umsIds = demo.umsIds
    this.#pairing = {
      gatewayId: demo.gatewayId,
      token: demo.token,
      topics: demo.topics,
      merchantName: 'Test kitchen',
      timeZone: 'America/New_York',
    }
    await this.startCloud()
    this.writePairing()
    await this.startGateway()
  }

  /** Ends and starts the gateway again, so that it runs from compiled code as every box does from its second start on. */
  async restartGateway(): Promise<void> {
    await this.gateway.kill('SIGTERM')
    await this.startGateway()
  }

  /** Starts the relay, the second time on the ports of the first. Resolves with the milliseconds to ready. */
  async startCloud(settings: Readonly<Record<string, string>> = {}): Promise<number> {
    const httpPort = await this.#portOf(this.cloudUrl)
    if (this.mqttPort === 0) this.mqttPort = await ownPort([httpPort])
    const ports = { CLOUD_HTTP_PORT: String(httpPort), CLOUD_MQTT_PORT: String(this.mqttPort) }
    const ready = await this.cloud.start({ ...settings, ...ports })
    this.cloudUrl = ready.httpUrl
    this.#document ??= (await (await fetch(`${this.cloudUrl}/v1/openapi.json`)).json()) as OpenApiDocument
    return ready.ms
  }

  async startGateway(): Promise<number> {
    const ready = await this.gateway.start({ GATEWAY_HTTP_PORT: String(await this.#portOf(this.gatewayUrl)) })
    this.gatewayUrl = ready.httpUrl
    return ready.ms
  }

  /** While a program is down no outgoing connection may take its port, so it is none of those that the system gives out. */
  async #portOf(url: string): Promise<number> {
    return url === '' ? ownPort([this.mqttPort]) : Number(new URL(url).port)
  }

  writePairing(): void {
    mkdirSync(join(this.dir, 'gateway'), { recursive: true })
    const port = this.#options.brokerPort?.() ?? this.mqttPort
    writeFileSync(this.pairingFile, JSON.stringify({ ...this.#pairing, brokerUrl: `mqtt://127.0.0.1:${port}` }), {
      mode: 0o600,
    })
  }

  async stop(): Promise<void> {
    await Promise.all([this.cloud.kill('SIGKILL'), this.gateway.kill('SIGKILL')])
    rmSync(this.dir, { recursive: true, force: true })
  }

  /** @throws NotAsDocumented when the answer is not as the OpenAPI document says */
  async call(method: string, path: string, body?: unknown, headersToo: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(this.cloudUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${this.apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headersToo,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    })
    const text = await response.text()
    const { status, headers } = response
    if (this.#document)
      holdToDocument(this.#document, { method, url: path, status, headers: Object.fromEntries(headers), text })
    return { status, headers, body: text === '' ? null : JSON.parse(text) }
  }

  orderBody({ orderId, note, fireAt, print, qty = 1, addOnTo, courses, details }: TestOrder): unknown {
    const line = { umsId: this.umsIds[0], qty, price: 9.5, note: note ?? orderId }
    const items = courses?.map((course) => ({ ...line, course })) ?? [line]
    return {
      merchantId: this.merchantId,
      orderId,
      source: 'test-kiosk',
      items,
      total: (950 * qty * items.length) / 100,
      ...(fireAt === undefined ? {} : { fireAt }),
      ...(print === undefined ? {} : { print }),
      ...(addOnTo === undefined ? {} : { addOnTo }),
      ...details,
    }
  }

  inject(order: TestOrder): Promise<Answer> {
    return this.call('POST', '/v1/order/inject', this.orderBody(order))
  }

  /** Injects until the relay has answered, as a client does: an error without an answer is retried with the same orderId. */
  async injectSurely(order: TestOrder): Promise<Answer> {
    for (;;) {
      try {
        const answer = await this.inject(order)
        // 503 printer.offline: it is stored all the same, and may happen on a busy machine.
        if (answer.status === 200 || answer.body?.order) return { ...answer, body: answer.body.order ?? answer.body }
        if (answer.status < 500) throw new Error(`refused: ${JSON.stringify(answer.body)}`)
      } catch (error) {
        if (error instanceof NotAsDocumented) throw error
        if (error instanceof Error && error.message.startsWith('refused')) throw error
      }
      await systemClock.sleep(20)
    }
  }

  getOrder(serviceOrderId: string): Promise<Answer> {
    return this.call('GET', `/v1/order/${serviceOrderId}?merchantId=${this.merchantId}`)
  }

  /** What the gateway's page shows, as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the body of any answer
  async gatewayStatus(): Promise<any> {
    const response = await fetch(`${this.gatewayUrl}/api/status`)
    return response.json()
  }

  /** Registers a webhook endpoint; the answer's body has its secret. */
  listen(url: string): Promise<Answer> {
    return this.call('POST', '/v1/webhooks', { merchantId: this.merchantId, url })
  }
}
