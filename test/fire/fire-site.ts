// Several relays on one PostgreSQL server behind a balancer, a fleet of gateways, a client that orders and tries again, and its webhook receiver.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PostgresDatabase } from '#cloud/storage/postgres/postgres-database.ts'
import { ownPort } from '#test/doubles/own-port.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { PostgresServer } from '#test/harness/postgres-server.ts'
import { type Provisioned, provisionFleetIn, SimulatedFleet } from '#test/harness/simulated-fleet.ts'
import { Balancer } from './balancer.ts'
import { FireBroker } from './fire-broker.ts'
import { FireClient } from './fire-client.ts'
import { FireKitchen } from './fire-kitchen.ts'
import { FireRelay } from './fire-relay.ts'
import { FireWebhooks } from './fire-webhooks.ts'

export interface FireOptions {
  relays: number
  gateways: number
  /** Seconds by which the clock of each is ahead, from its start on; right unless given. */
  clocks?: readonly number[]
  /** Each relay has one of its own, unless they share a Mosquitto. */
  broker?: 'embedded' | 'mosquitto'
  /** Of the server, beside `fsync`. */
  settings?: Readonly<Record<string, string>>
}

/** After `kill -9` of the server its processes are gone a moment later, and only then does another one start. */
const SERVER_TRIES = 50
const SERVER_AGAIN_MS = 100

export class FireSite {
  readonly server: PostgresServer
  readonly relays: readonly FireRelay[]
  /** That the relays share; null: each has its own. */
  readonly broker: FireBroker | null
  readonly receiver = new WebhookReceiver()
  readonly kitchen = new FireKitchen()
  readonly webhooks = new FireWebhooks()
  readonly client: FireClient
  readonly fleetOf: Provisioned
  /** Of all relays: what seals the secrets. */
  readonly masterKey: string
  http!: Balancer
  mqtt!: Balancer
  fleet!: SimulatedFleet
  readonly #dir: string

  private constructor(
    made: Pick<FireSite, 'server' | 'relays' | 'broker' | 'masterKey'> & { fleet: Provisioned; dir: string },
  ) {
    this.masterKey = made.masterKey
    this.broker = made.broker
    this.server = made.server
    this.relays = made.relays
    this.fleetOf = made.fleet
    this.#dir = made.dir
    this.client = new FireClient(made.fleet, () => `http://127.0.0.1:${this.http.port}`)
  }

  /** Resolves when all gateways are welcomed and the client's endpoint is registered. */
  static async open({ relays, gateways, clocks = [], broker: kind, settings = {} }: FireOptions): Promise<FireSite> {
    const server = await PostgresServer.start({ settings: { fsync: 'on', full_page_writes: 'on', ...settings } })
    const db = await databaseOf(server)
    const fleet = await provisionFleetIn(db, gateways)
    await db.close()
    const ports = await freePorts(relays)
    const taken = ports.flatMap(({ http, mqtt }) => [http, mqtt])
    const broker = kind === 'mosquitto' ? await FireBroker.start(fleet.members, taken) : null
    const env = broker?.env ?? {}
    const masterKey = randomBytes(32).toString('base64')
    const dir = mkdtempSync(join(tmpdir(), 'ticketrail-fire-'))
    const all = ports.map((of, number) => new FireRelay({ number, ports: of, masterKey, server, dir, env }))
    const site = new FireSite({ server, relays: all, broker, masterKey, fleet, dir })
    try {
      await site.#start(ports, clocks)
    } catch (error) {
      await site.close()
      throw error
    }
    return site
  }

  /** The server's, past the relays and their network. */
  get db(): Promise<PostgresDatabase> {
    return databaseOf(this.server)
  }

  /** Starts the server again. */
  async runServer(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.server.run()
      } catch (error) {
        if (tries >= SERVER_TRIES) throw error
        await new Promise((resolve) => setTimeout(resolve, SERVER_AGAIN_MS))
      }
    }
  }

  /** Everybody to this relay, gateways and clients; null: to each in turn. Gateways of a shared broker come back to it. */
  flip(only: number | null): void {
    this.http.flip(only)
    this.mqtt.flip(this.broker === null ? only : null)
  }

  async close(): Promise<void> {
    this.client.halt()
    this.fleet?.stop()
    await Promise.all(this.relays.map((relay) => relay.remove()))
    await this.http?.stop()
    await this.mqtt?.stop()
    await this.broker?.remove()
    await this.receiver.stop()
    await this.server.remove()
    rmSync(this.#dir, { recursive: true, force: true })
  }

  async #start(ports: readonly Ports[], clocks: readonly number[]): Promise<void> {
    await this.receiver.start()
    for (const relay of this.relays) {
      await relay.prepare()
      relay.setClock(clocks[relay.number] ?? 0)
      await relay.start()
    }
    this.http = await Balancer.start(ports.map(({ http }) => http))
    this.mqtt = await Balancer.start(this.broker === null ? ports.map(({ mqtt }) => mqtt) : [this.broker.port])
    const { status, said } = await this.client.call('/v1/webhooks', { url: this.receiver.url })
    if (status !== 201) throw new Error(`the endpoint was not registered: ${JSON.stringify(said)}`)
    this.receiver.secret = String(said['secret'])
    this.receiver.arrived.subscribe((received) => {
      this.webhooks.take(received)
      this.receiver.received.length = 0
    })
    this.fleet = new SimulatedFleet(this.fleetOf.members, (n) => ({
      port: this.mqtt.port,
      provesPaper: true,
      onArrived: (job, known) => this.kitchen.take(this.fleetOf.members[n]?.gatewayId ?? '', job, known),
    }))
    this.fleet.start()
    await this.fleet.allWelcomed()
  }
}

interface Ports {
  http: number
  mqtt: number
}

function databaseOf(server: PostgresServer): Promise<PostgresDatabase> {
  return PostgresDatabase.open({ url: server.url(), slots: 1, readers: 2 })
}

async function freePorts(relays: number): Promise<Ports[]> {
  const ports: Ports[] = []
  for (let n = 0; n < relays; n++) {
    const taken = ports.flatMap(({ http, mqtt }) => [http, mqtt])
    const http = await ownPort(taken)
    ports.push({ http, mqtt: await ownPort([...taken, http]) })
  }
  return ports
}
