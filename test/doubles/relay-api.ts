// The relay's API without broker and webhook worker, on a real SQLite file in a temporary folder, for tests of routes and orders.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { App } from '#cloud/api/app.ts'
import { docsRoutes } from '#cloud/api/docs-routes.ts'
import { healthRoutes } from '#cloud/api/health-routes.ts'
import type { OpenApiDocument } from '#cloud/api/openapi/json-schema.ts'
import { buildServer, type ServerDeps } from '#cloud/api/server.ts'
import { orderRoutes } from '#cloud/api/v1/order-routes.ts'
import type { Acting } from '#cloud/auth/authorize.ts'
import { authorize } from '#cloud/auth/authorize.ts'
import { FirstTries } from '#cloud/orders/first-try.ts'
import { posAdapters } from '#cloud/orders/pos-adapters.ts'
import { type TakenBack, takeBackOrders } from '#cloud/orders/take-back-orders.ts'
import { RestoreWatch } from '#cloud/relay/restore-watch.ts'
import { createSandboxAccount, type SandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { AccountStore } from '#cloud/storage/account-store.ts'
import { ApiKeyStore } from '#cloud/storage/api-key-store.ts'
import { CatalogStore } from '#cloud/storage/catalog-store.ts'
import { ChannelStore } from '#cloud/storage/channel-store.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { DeliveryStore } from '#cloud/storage/delivery-store.ts'
import { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import { GatewayStore } from '#cloud/storage/gateway-store.ts'
import { HandBackStore } from '#cloud/storage/hand-back-store.ts'
import { IdempotencyStore } from '#cloud/storage/idempotency-store.ts'
import { ListenerStore } from '#cloud/storage/listener-store.ts'
import { LocationStore } from '#cloud/storage/location-store.ts'
import { MerchantStore } from '#cloud/storage/merchant-store.ts'
import { OrderStore } from '#cloud/storage/order-store.ts'
import { PosOutboxStore } from '#cloud/storage/pos-outbox-store.ts'
import { PrintJobStore } from '#cloud/storage/print-job-store.ts'
import { RegisterStore } from '#cloud/storage/register-store.ts'
import { RestoreStore } from '#cloud/storage/restore-store.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Clock } from '#shared/clock.ts'
import type { LocationId, MerchantKey } from '#shared/ids.ts'
import { createLogger, type Logger } from '#shared/log.ts'
import { holdToDocument } from '#test/contract/check-answer.ts'
import { openFreshRelayDatabase, openSecondRelayDatabase } from '#test/fixtures/fresh-relay-database.ts'
import { ManualClock } from './manual-clock.ts'

export interface RelayApiOptions {
  clock?: Clock
  limits?: ServerDeps['limits']
  /** Another relay on the same database, with the same clock and account. It is closed after this one. */
  beside?: RelayApi
  /** Instead of keeping every line. */
  log?: Logger
  /** What the server gets beside keys, clock and log: rate limits, a meter, proxies. */
  server?: (stores: RelayApi['stores']) => Partial<ServerDeps>
  /** Adds routes before the server is ready. */
  routes?: (app: App, api: RelayApi) => void
  /** Path of the tarball that is served as the npm package. */
  npmTarball?: string
}

export interface Answered {
  status: number
  headers: Record<string, string | string[] | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the body of any answer
  body: any
  text: string
}

export class RelayApi {
  readonly clock: Clock
  /** Every log line, as text. */
  readonly logLines: string[] = []
  stopping = false
  ready = true
  readonly app: App
  readonly stores
  readonly db: RelayDatabase
  readonly account: SandboxAccount
  readonly #dir: string
  readonly #isSecond: boolean
  readonly #document: () => OpenApiDocument

  private constructor(db: RelayDatabase, dir: string, clock: Clock, account: SandboxAccount, options: RelayApiOptions) {
    this.db = db
    this.#dir = dir
    this.#isSecond = options.beside !== undefined
    this.clock = clock
    this.account = account
    const sink = new Writable({
      write: (chunk, _encoding, done) => {
        this.logLines.push(String(chunk))
        done()
      },
    })
    const log = options.log ?? createLogger('cloud', 'trace', { destination: sink })
    const posOutbox = new PosOutboxStore(db)
    const handBacks = new HandBackStore(db)
    const restores = new RestoreStore(db)
    this.stores = {
      accounts: new AccountStore(db),
      apiKeys: new ApiKeyStore(db),
      merchants: new MerchantStore(db),
      locations: new LocationStore(db),
      catalog: new CatalogStore(db),
      channels: new ChannelStore(db),
      orders: new OrderStore(db),
      dispatches: new DispatchStore(db),
      gateways: new GatewayStore(db),
      printJobs: new PrintJobStore(db),
      deliveries: new DeliveryStore(db),
      listeners: new ListenerStore(db),
      posOutbox,
      pos: posAdapters({ registers: new RegisterStore(db), posOutbox, clock }),
      firstTries: new FirstTries(clock),
      secretBox: new SecretBox(Buffer.alloc(32, 1)),
      handBacks,
      idempotency: new IdempotencyStore(db),
      restores,
      watch: new RestoreWatch({ handBacks, restores, clock, log }),
      takeBackOrders: (piece: TakenBack) => takeBackOrders(this.stores, piece),
      db,
      clock,
      log,
    }
    this.app = buildServer({
      apiKeys: this.stores.apiKeys,
      clock,
      log,
      docBase: () => 'https://relay.example',
      stopping: () => this.stopping,
      ...(options.limits ? { limits: options.limits } : {}),
      ...options.server?.(this.stores),
    })
    healthRoutes(this.app, { checks: [{ name: 'test', ok: () => this.ready }], warnings: () => [] })
    const { npmTarball } = options
    const docBase = () => 'https://relay.example'
    this.#document = docsRoutes(this.app, { docBase, ...(npmTarball ? { npmTarball } : {}) }).document
    orderRoutes(this.app, { ...this.stores, authorize: this.authorize })
    options.routes?.(this.app, this)
  }

  static async open(options: RelayApiOptions = {}): Promise<RelayApi> {
    const { beside } = options
    const dir = beside === undefined ? mkdtempSync(join(tmpdir(), 'ticketrail-api-')) : beside.#dir
    const db = await (beside ? openSecondRelayDatabase(beside.db) : openFreshRelayDatabase(join(dir, 'relay.db')))
    const clock = options.clock ?? beside?.clock ?? new ManualClock()
    const account = beside?.account ?? (await createSandboxAccount({ db, clock }, { name: 'Test' }))
    try {
      const api = new RelayApi(db, dir, clock, account, options)
      await api.app.ready()
      return api
    } catch (error) {
      await db.close()
      if (!beside) rmSync(dir, { recursive: true, force: true })
      throw error
    }
  }

  readonly authorize = (principal: Acting, merchantId: string) => authorize(this.stores, principal, merchantId)

  get databaseFile(): string {
    return join(this.#dir, 'relay.db')
  }

  get merchantKey(): MerchantKey {
    return this.account.merchants[0]!.key
  }

  get locationId(): LocationId {
    return this.account.merchants[0]!.locations[0]!.locationId
  }

  /** A whole valid order: two burgers and a crème brûlée, 32.95. */
  order(change: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      merchantId: 'M-TEST-001',
      orderId: 'order-1',
      source: 'kiosk-7',
      items: [
        { umsId: 'UMS-BURGER-01', qty: 2, price: 12.5, note: 'no pickles', modifiers: ['UMS-MOD-CHEESE'] },
        { umsId: 'UMS-BRULEE-01', qty: 1, price: 7.95 },
      ],
      total: 32.95,
      ...change,
    }
  }

  async call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS',
    url: string,
    options: { body?: unknown; payload?: string; key?: string | null; headers?: Record<string, string> } = {},
  ): Promise<Answered> {
    const key = options.key === undefined ? this.account.apiKey : options.key
    const payload = options.payload ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    const response = await this.app.inject({
      method,
      url,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(payload === undefined ? {} : { payload }),
    })
    const { statusCode: status, body: text } = response
    const answered = response.headers as Answered['headers']
    holdToDocument(this.#document(), { method, url, status, headers: answered, text })
    const isJson = String(response.headers['content-type']).includes('json')
    return {
      status,
      headers: answered,
      body: isJson && text !== '' ? JSON.parse(text) : null,
      text,
    }
  }

  inject(change: Record<string, unknown> = {}): Promise<Answered> {
    return this.call('POST', '/v1/order/inject', { body: this.order(change) })
  }

  async close(): Promise<void> {
    await this.app.close()
    await this.db.close()
    if (!this.#isSecond) rmSync(this.#dir, { recursive: true, force: true })
  }
}
