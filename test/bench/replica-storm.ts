// Thousands of gateways behind a balancer, half of them at each of two relays on one PostgreSQL server: what happens when one relay is killed.
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { PostgresDatabase } from '#cloud/storage/postgres/postgres-database.ts'
import { ownPort } from '#test/doubles/own-port.ts'
import { PostgresServer, postgresPrograms } from '#test/harness/postgres-server.ts'
import { Program } from '#test/harness/program.ts'
import { provisionFleetIn } from '#test/harness/simulated-fleet.ts'
import { GatewayFleet } from './gateway-fleet.ts'
import { folderUntilExit, killAtExit } from './until-exit.ts'

export interface ReplicaReturn {
  gateways: number
  /** Of these, so many were at the relay that is killed. */
  lost: number
  /** kill -9 -> the last of those is welcomed at the other relay. */
  backMs: number
  /** Connections for each of them until then. */
  attempts: number
  /** Times that one was told to wait. */
  waits: number
}

/** A balancer has two connections for each gateway. */
const GATEWAYS_A_BALANCER = 3_500
/** Gateways have addresses of their own: the balancer would say them so. */
const PREAMBLE = 'PROXY TCP4 ADDRESS 203.0.113.1 40000 1883\r\n'

async function relayOn(url: string, masterKey: string, taken: number[]): Promise<{ relay: Program; mqtt: number }> {
  const mqtt = await ownPort(taken)
  const http = await ownPort([...taken, mqtt])
  taken.push(mqtt, http)
  const env = {
    DATABASE_URL: url,
    CLOUD_DATABASE: '/nowhere/not-used.db',
    CLOUD_ADMIN_SOCKET: join(folderUntilExit('ticketrail-storm-'), 'admin.sock'),
    CLOUD_MASTER_KEY: masterKey,
    CLOUD_HTTP_PORT: String(http),
    CLOUD_MQTT_PORT: String(mqtt),
    CLOUD_LOG_LEVEL: 'error',
    CLOUD_TRUSTED_PROXIES: '127.0.0.0/8',
    CLOUD_MQTT_PROXY_PROTOCOL: 'on',
  }
  const relay = new Program('cloud/main.ts', env, false)
  await relay.start()
  return { relay, mqtt }
}

async function balancerFor(relays: readonly number[]): Promise<{ port: number; end: () => void }> {
  const child = fork(join(import.meta.dirname, 'balancer-process.ts'))
  killAtExit(child)
  child.send(relays)
  const [port] = (await once(child, 'message')) as [number]
  return { port, end: () => void child.kill('SIGKILL') }
}

async function measureOne(url: string, gateways: number): Promise<ReplicaReturn> {
  const db = await PostgresDatabase.open({ url })
  const { members } = await provisionFleetIn(db, gateways)
  const relayIds = async (): Promise<string[]> =>
    (await db.read.selectFrom('replicas').select('id').execute()).map(({ id }) => id)
  const at = async (relayId: string): Promise<number> => {
    const rows = await db.read
      .selectFrom('gateways')
      .select('id')
      .where('relay_id', '=', relayId)
      .where('presence', '=', 'online')
      .execute()
    return rows.length
  }
  const masterKey = randomBytes(32).toString('base64')
  const taken: number[] = []
  const stays = await relayOn(url, masterKey, taken)
  const [stayingId = ''] = await relayIds()
  const dies = await relayOn(url, masterKey, taken)
  const balancers: Awaited<ReturnType<typeof balancerFor>>[] = []
  for (let n = 0; n < gateways; n += GATEWAYS_A_BALANCER) balancers.push(await balancerFor([stays.mqtt, dies.mqtt]))
  const fleet = new GatewayFleet()
  fleet.connect({ members, ports: balancers.map(({ port }) => port), preamble: PREAMBLE })
  await fleet.ask('all-welcomed')
  const before = await fleet.ask('counts')
  const lost = gateways - (await at(stayingId))
  const killedAt = performance.now()
  await dies.relay.kill('SIGKILL')
  await fleet.ask({ welcomes: before.welcomes + lost })
  const after = await fleet.ask('all-welcomed')
  const backMs = performance.now() - killedAt
  const here = await at(stayingId)
  if (here !== gateways) throw new Error(`${here} of ${gateways} gateways are at the relay that stayed`)
  fleet.end()
  for (const { end } of balancers) end()
  await stays.relay.kill('SIGKILL')
  await db.close()
  return {
    gateways,
    lost,
    backMs,
    attempts: (after.attempts - before.attempts) / lost,
    waits: after.waits - before.waits,
  }
}

/** @param sizes of the fleets; null without a PostgreSQL server */
export async function measureReplicaStorm(sizes: readonly number[]): Promise<ReplicaReturn[] | null> {
  if (postgresPrograms() === null) return null
  const returns: ReplicaReturn[] = []
  for (const gateways of sizes) {
    const server = await PostgresServer.start({ settings: { fsync: 'on', full_page_writes: 'on' } })
    returns.push(await measureOne(server.url(), gateways).finally(() => server.remove()))
  }
  return returns
}
