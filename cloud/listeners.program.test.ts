// Listeners through real relays that are killed: two on one PostgreSQL, or one on SQLite. Each event reaches the program's server as often as the log of attempts says.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import type { StreamDelivery } from '#shared/wire/api/listeners.ts'
import { PostgresServer, postgresPrograms } from '#test/harness/postgres-server.ts'
import { Program } from '#test/harness/program.ts'
import { createSandboxAccount } from './sandbox/fixtures.ts'
import type { RelayDatabase } from './storage/database.ts'
import { PostgresDatabase } from './storage/postgres/postgres-database.ts'
import { SqliteDatabase } from './storage/sqlite/sqlite-database.ts'

const KILLS = 10
const merchantId = 'M-TEST-001'
const noPostgres = postgresPrograms() === null
if (noPostgres)
  process.stderr.write("cloud/listeners.program.test.ts is skipped in part: Debian's postgresql is not installed\n")

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step()
})

interface Relay {
  program: Program
  url: string
}

/** The program at the end of the streams. Its server is asked once for each attempt; results are told until a relay has taken them. */
class Listening {
  /** `deliveryId number` of what its server was asked. */
  readonly asked: string[] = []
  readonly #seen = new Set<string>()
  readonly #relay: () => Relay
  readonly #apiKey: string
  readonly #webhookId: string
  readonly #ended = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(relay: () => Relay, apiKey: string, webhookId: string) {
    this.#relay = relay
    this.#apiKey = apiKey
    this.#webhookId = webhookId
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#ended.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#ended
    while (!signal.aborted) {
      await this.#read().catch(() => undefined)
      // Whoever was killed is not there at once.
      await systemClock.sleep(20, signal)
    }
  }

  async #read(): Promise<void> {
    const path = `${this.#relay().url}/v1/webhook/${this.#webhookId}/stream`
    const { body, ok } = await fetch(path, { headers: this.#headers, signal: this.#ended.signal })
    if (!ok || body === null) return
    let text = ''
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      const messages = (text + chunk).split('\n\n')
      text = messages.pop() ?? ''
      for (const message of messages) {
        const [, data] = /^event: delivery\ndata: (.*)$/.exec(message) ?? []
        if (data !== undefined) void this.#take(JSON.parse(data) as StreamDelivery)
      }
    }
  }

  async #take({ deliveryId, number }: StreamDelivery): Promise<void> {
    const name = `${deliveryId} ${number}`
    if (!this.#seen.has(name)) this.asked.push(name)
    this.#seen.add(name)
    await this.#tell({ deliveryId, number, status: 204, ms: 1 })
  }

  async #tell(result: object): Promise<void> {
    const { signal } = this.#ended
    while (!signal.aborted) {
      const answer = await fetch(`${this.#relay().url}/v1/webhook/${this.#webhookId}/result`, {
        method: 'POST',
        headers: { ...this.#headers, 'content-type': 'application/json' },
        body: JSON.stringify(result),
      }).catch(() => null)
      if (answer !== null && answer.status < 500) return
      await systemClock.sleep(20, signal)
    }
  }

  get #headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#apiKey}` }
  }
}

/** Kills one relay after the other while orders come, and starts it again. */
async function throughKills(db: RelayDatabase, env: Record<string, string>, count: number): Promise<void> {
  const { apiKey } = await createSandboxAccount({ db, clock: systemClock }, { name: 'Test' })
  const rates = { sandbox: { steadyPerMinute: 1e6, burstPerMinute: 1e7, bodyBytesPerMinute: 99_999_999 } }
  await db.unit((tx) =>
    tx
      .updateTable('accounts')
      .set({ plan_overrides: JSON.stringify(rates) })
      .execute(),
  )
  const relays: Relay[] = []
  for (let n = 0; n < count; n++) {
    const program = new Program('cloud/main.ts', { ...env, CLOUD_HTTP_PORT: '0', CLOUD_MQTT_PORT: '0' }, false)
    undo.push(() => program.kill('SIGKILL'))
    relays.push({ program, url: (await program.start()).httpUrl })
  }
  let turn = 0
  const next = (): Relay => relays[turn++ % relays.length] as Relay
  const call = async (path: string, body: object): Promise<Record<string, string>> => {
    for (;;) {
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify({ merchantId, ...body }) }
      const answer = await fetch(next().url + path, init).catch(() => null)
      if (answer !== null && answer.status < 500) return (await answer.json()) as Record<string, string>
      await systemClock.sleep(20)
    }
  }
  const { webhookId = '' } = await call('/v1/webhook/listener', { events: ['order.accepted'] })
  const program = new Listening(next, apiKey, webhookId)
  undo.push(() => program.stop())
  program.start()
  let orders = 0
  const inject = (): Promise<unknown> => {
    const items = [{ umsId: 'UMS-FRIES-01', qty: 1, price: 1 }]
    return call('/v1/order/inject', { orderId: `order-${++orders}`, source: 's', total: 1, items })
  }
  for (let kill = 0; kill < KILLS; kill++) {
    const heard = program.asked.length
    for (let n = 0; n < 5; n++) await inject()
    await expect.poll(() => program.asked.length, { timeout: 60_000 }).toBeGreaterThan(heard)
    const victim = relays[kill % relays.length] as Relay
    const rest = [inject(), inject(), inject()]
    await victim.program.kill('SIGKILL')
    victim.url = (await victim.program.start()).httpUrl
    await Promise.all(rest)
  }
  const states = async (): Promise<string[]> => {
    const rows = await db.read.selectFrom('deliveries').select('state').execute()
    return [...new Set(rows.map(({ state }) => state))]
  }
  await expect.poll(states, { timeout: 60_000 }).toEqual(['delivered'])
  const attempts = await db.read.selectFrom('delivery_attempts').select(['delivery_id', 'number']).execute()
  expect(attempts).toHaveLength(orders)
  expect(program.asked.toSorted()).toEqual(attempts.map((row) => `${row.delivery_id} ${row.number}`).toSorted())
}

const CLOUD_MASTER_KEY = randomBytes(32).toString('base64')
const rethrow = (error: unknown): never => {
  throw error
}

describe('through ten kills of relays, each event arrives once', () => {
  test('with one relay on SQLite', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'ticketrail-listeners-'))
    undo.push(() => rmSync(dir, { recursive: true, force: true }))
    const CLOUD_DATABASE = join(dir, 'relay.db')
    const db = await SqliteDatabase.open(CLOUD_DATABASE, rethrow)
    undo.push(() => db.close())
    await throughKills(db, { CLOUD_DATABASE, CLOUD_MASTER_KEY }, 1)
  })

  test.runIf(!noPostgres)('with two relays on PostgreSQL', async () => {
    const server = await PostgresServer.start()
    undo.push(() => server.remove())
    const DATABASE_URL = server.url()
    const db = await PostgresDatabase.open({ url: DATABASE_URL })
    undo.push(() => db.close())
    await throughKills(db, { DATABASE_URL, CLOUD_MASTER_KEY }, 2)
  })
})
