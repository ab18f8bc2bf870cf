// A real relay on a database on PostgreSQL, with one simulated gateway: both drills of a server's loss work on it.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Client as Postgres } from 'pg'
import type { CloudConfig } from '#cloud/config.ts'
import { type Demo, provisionDemo } from '#cloud/sandbox/provision-demo.ts'
import { PostgresDatabase } from '#cloud/storage/postgres/postgres-database.ts'
import { Client } from '#scripts/restore-drill/client.ts'
import { must, until } from '#scripts/restore-drill/must.ts'
import { SimulatedGateway } from '#scripts/restore-drill/simulated-gateway.ts'
import { systemClock } from '#shared/clock.ts'
import { runOperatorLine } from '#test/harness/command-line.ts'
import type { PostgresServer } from '#test/harness/postgres-server.ts'
import { Program } from '#test/harness/program.ts'
import { UNTHROTTLED } from '#test/harness/site.ts'

const LOOPBACK = '127.0.0.1'
const DATABASE = 'relay'
const WARNINGS_AT_MOST = 30

type Settings = { [name in keyof CloudConfig]?: string }

export class DrillSite {
  readonly gateway: SimulatedGateway
  readonly relay: Program
  readonly #demo: Demo
  readonly #settings: Settings
  #client: Client | null = null

  private constructor(demo: Demo, folder: string) {
    this.#demo = demo
    this.gateway = new SimulatedGateway(demo)
    this.#settings = {
      CLOUD_DATABASE: join(folder, 'not-used.db'),
      CLOUD_MASTER_KEY: randomBytes(32).toString('base64'),
      CLOUD_HTTP_HOST: LOOPBACK,
      CLOUD_HTTP_PORT: '0',
      CLOUD_MQTT_HOST: LOOPBACK,
      CLOUD_MQTT_PORT: '0',
      CLOUD_OUTGOING: 'off',
      CLOUD_DRAIN_SECONDS: '0',
    }
    this.relay = new Program('cloud/main.ts', this.#settings as Record<string, string>, true)
  }

  /** Makes the relay's database on the server. */
  static async on(server: PostgresServer, folder: string): Promise<DrillSite> {
    await asked(server.url(), `create database ${DATABASE} template template0 encoding 'UTF8'`)
    const db = await PostgresDatabase.open({ url: server.url(DATABASE) })
    const demo = await provisionDemo(db, systemClock)
    const plan_overrides = JSON.stringify(UNTHROTTLED)
    await db.unit((tx) => tx.updateTable('accounts').set({ plan_overrides }).execute())
    await db.close()
    return new DrillSite(demo, folder)
  }

  get client(): Client {
    if (this.#client === null) throw new Error('the relay was not started')
    return this.#client
  }

  /** Starts the relay and the gateway that connects to it. @param server its port, or that of the proxy in front of it */
  async start(server: Pick<PostgresServer, 'port'>): Promise<void> {
    const { httpUrl, mqttPort = 0 } = await this.relay.start({ DATABASE_URL: urlOf(server) })
    this.#client = new Client(httpUrl, this.#demo)
    await this.gateway.connect(mqttPort)
  }

  /** One order, on paper. @returns its serviceOrderId */
  async printed(orderId: string): Promise<string> {
    const id = await this.client.order(orderId)
    await until(`the order "${orderId}" is told as printed`, () => this.client.isPrinted(id))
    return id
  }

  /** What the relay logged as a warning or an error, newest last: for the report of a drill that failed. */
  get warnings(): string {
    const lines = this.relay.log.filter(({ level }) => level >= 40).slice(-WARNINGS_AT_MOST)
    return lines.map((line) => JSON.stringify(line)).join('\n')
  }

  /** The relay is killed, as by the loss of its machine. */
  async lose(): Promise<void> {
    await this.gateway.leave()
    await this.relay.kill('SIGKILL')
  }

  /** @throws when the rows of the database contradict each other */
  async mustBeWhole(server: Pick<PostgresServer, 'port'>, what: string): Promise<void> {
    const env = { ...this.#settings, DATABASE_URL: urlOf(server) } as Record<string, string>
    const ran = await runOperatorLine(env, ['verify', '--json'])
    must(ran.json !== null, `${what}: ${ran.err || ran.out}`)
    must(ran.code === 0, `${what}: ${ran.json.faults?.join('; ')}`)
  }
}

const urlOf = ({ port }: Pick<PostgresServer, 'port'>): string => `postgres://postgres@${LOOPBACK}:${port}/${DATABASE}`

/** Rows of one statement on the server. */
export async function asked<R extends object>(url: string, sql: string): Promise<R[]> {
  const client = new Postgres({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<R>(sql)).rows
  } finally {
    await client.end()
  }
}
