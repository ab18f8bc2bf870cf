// What taking an order costs the relay's process on each engine of its database, side by side: the relay's own inject code, past HTTP.
import { join } from 'node:path'
import { FirstTries } from '#cloud/orders/first-try.ts'
import { type InjectDeps, injectOrder } from '#cloud/orders/inject-order.ts'
import { posAdapters } from '#cloud/orders/pos-adapters.ts'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import { PostgresDatabase } from '#cloud/storage/postgres/postgres-database.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { openStores } from '#cloud/storage/stores.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { systemClock } from '#shared/clock.ts'
import { createLogger, logOutput } from '#shared/log.ts'
import { injectOrder as injectOrderSchema } from '#shared/wire/api/orders.ts'
import { PostgresServer, postgresPrograms } from '#test/harness/postgres-server.ts'
import { type Figure, median } from './figures.ts'
import { folderUntilExit } from './until-exit.ts'

const CALLERS = 50
const WARM_UP_ORDERS = 500
const ROUNDS = 3

interface EngineCost {
  /** Processor time of this process an order, in microseconds: without the server's. */
  cpuUs: number
  ordersPerSecond: number
}

interface Engines {
  sqlite: EngineCost
  postgres: EngineCost
}

export async function engineFigures(quick: boolean): Promise<Figure[]> {
  const name = 'an order taken on PostgreSQL / on SQLite'
  if (postgresPrograms() === null)
    return [{ name, goal: '<= 6 x', value: 'skipped: PostgreSQL is not installed', met: null }]
  const { sqlite, postgres } = await measureEngines(quick ? 1_000 : 4_000)
  const [cpu, rate] = [postgres.cpuUs / sqlite.cpuUs, postgres.ordersPerSecond / sqlite.ordersPerSecond]
  const costs = `${cpu.toFixed(2)} x (${Math.round(postgres.cpuUs)} to ${Math.round(sqlite.cpuUs)} µs)`
  const rates = `${rate.toFixed(2)} x (${Math.round(postgres.ordersPerSecond)}/s to ${Math.round(sqlite.ordersPerSecond)}/s)`
  return [
    { name: `${name}: processor time of the relay's process`, goal: '<= 6 x', value: costs, met: cpu <= 6 },
    {
      name: 'the same: orders a second, the server on the same cores',
      goal: 'measured beside',
      value: rates,
      met: null,
    },
  ]
}

/** In turns, three rounds each, the median. Both wait for the disk as in production. */
async function measureEngines(orders: number): Promise<Engines> {
  const server = await PostgresServer.start({ settings: { fsync: 'on' } })
  const file = join(folderUntilExit('ticketrail-engines-'), 'relay.db')
  const [sqlite, postgres] = [
    await Taker.on(
      await SqliteDatabase.open(file, (error) => {
        throw error
      }),
    ),
    await Taker.on(await PostgresDatabase.open({ url: server.url(), slots: 10, readers: 6 })),
  ]
  try {
    for (const taker of [sqlite, postgres]) await taker.take(WARM_UP_ORDERS)
    const runs: Record<keyof Engines, EngineCost[]> = { sqlite: [], postgres: [] }
    for (let round = 0; round < ROUNDS; round++) {
      runs.sqlite.push(await sqlite.take(orders))
      runs.postgres.push(await postgres.take(orders))
    }
    const middle = (of: readonly EngineCost[]): EngineCost => ({
      cpuUs: median(of.map(({ cpuUs }) => cpuUs)),
      ordersPerSecond: median(of.map(({ ordersPerSecond }) => ordersPerSecond)),
    })
    return { sqlite: middle(runs.sqlite), postgres: middle(runs.postgres) }
  } finally {
    await sqlite.db.close()
    await postgres.db.close()
    await server.remove()
  }
}

class Taker {
  readonly db: RelayDatabase
  readonly #deps: InjectDeps
  readonly #merchant: MerchantRecord
  readonly #umsId: string
  #next = 0

  private constructor(deps: InjectDeps, merchant: MerchantRecord, umsId: string) {
    this.db = deps.db
    this.#deps = deps
    this.#merchant = merchant
    this.#umsId = umsId
  }

  static async on(db: RelayDatabase): Promise<Taker> {
    const clock = systemClock
    const stores = openStores(db)
    const account = await createSandboxAccount({ db, clock }, { name: 'Bench' })
    const made = account.merchants[0]
    const umsId = made?.umsIds[0]
    if (made === undefined || umsId === undefined) throw new Error('the fixtures have no merchant with an item')
    const merchant = await stores.merchants.find(account.accountId, made.merchantId)
    if (merchant === null) throw new Error('the merchant of the fixtures is not there')
    const deps: InjectDeps = {
      ...stores,
      db,
      pos: posAdapters({ registers: stores.registers, posOutbox: stores.posOutbox, clock }),
      firstTries: new FirstTries(clock),
      secretBox: new SecretBox(Buffer.alloc(32, 1)),
      clock,
      log: createLogger('bench', 'error', { destination: logOutput(process.stderr) }),
    }
    return new Taker(deps, merchant, umsId)
  }

  /** So many orders by fifty callers at once. Scheduled ones: nobody is there to print them. */
  async take(orders: number): Promise<EngineCost> {
    const until = this.#next + orders
    const beganMs = performance.now()
    const before = process.cpuUsage()
    await Promise.all(Array.from({ length: CALLERS }, () => this.#callUntil(until)))
    const { user, system } = process.cpuUsage(before)
    const seconds = (performance.now() - beganMs) / 1_000
    return { cpuUs: (user + system) / orders, ordersPerSecond: orders / seconds }
  }

  async #callUntil(until: number): Promise<void> {
    const fireAt = new Date(Date.now() + 3_600_000).toISOString()
    while (this.#next < until) {
      const body = injectOrderSchema.parse({
        merchantId: this.#merchant.publicId,
        orderId: `engine-${this.#next++}`,
        source: 'bench',
        items: [{ umsId: this.#umsId, qty: 1, price: 1, note: 'no onions' }],
        total: 1,
        fireAt,
      })
      await injectOrder(this.#deps, this.#merchant, { body })
    }
  }
}
