// What thousands of gateways cost one relay: their return after `kill -9`, their idle hours, and an order for any one of them.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '#shared/clock.ts'
import { ownPort } from '#test/doubles/own-port.ts'
import { Program } from '#test/harness/program.ts'
import { type Provisioned, provisionFleet } from '#test/harness/simulated-fleet.ts'
import { percentile } from './figures.ts'
import { GatewayFleet } from './gateway-fleet.ts'
import { folderUntilExit } from './until-exit.ts'

export interface Return {
  gateways: number
  /** Ready line of the restarted relay -> the last gateway is welcomed. */
  backMs: number
  /** Connections a gateway, hellos a gateway, and gateways that were told to wait. */
  attempts: number
  hellos: number
  waits: number
  /** Of the relay, with everybody there and no order. */
  idleMsPerSecondPer1000: number
  kbPerGateway: number
}

export interface Storm {
  returns: Return[]
  /** Request sent -> the job is at its gateway, orders over all gateways of the smallest and of the largest fleet, in turns. */
  dispatch: { few: number; many: number; ratio: number }
}

/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10

class Fleet {
  readonly site: Provisioned
  readonly relay: Program
  readonly gateways = new GatewayFleet()
  readonly #mqttPort: number
  #url = ''

  private constructor(site: Provisioned, relay: Program, mqttPort: number) {
    this.site = site
    this.relay = relay
    this.#mqttPort = mqttPort
  }

  static async open(gateways: number, env: Readonly<Record<string, string>> = {}): Promise<Fleet> {
    const file = join(folderUntilExit('ticketrail-storm-'), 'relay.db')
    const site = await provisionFleet(file, gateways)
    const mqttPort = await ownPort()
    const httpPort = await ownPort([mqttPort])
    const ports = { CLOUD_HTTP_PORT: String(httpPort), CLOUD_MQTT_PORT: String(mqttPort) }
    const key = randomBytes(32).toString('base64')
    const relay = new Program('cloud/main.ts', { CLOUD_DATABASE: file, CLOUD_MASTER_KEY: key, ...ports, ...env }, false)
    const fleet = new Fleet(site, relay, mqttPort)
    await fleet.startRelay()
    return fleet
  }

  async startRelay(): Promise<void> {
    this.#url = (await this.relay.start()).httpUrl
  }

  connect(preamble?: string): void {
    const { members } = this.site
    this.gateways.connect({ members, ports: [this.#mqttPort], ...(preamble && { preamble }) })
  }

  /** Milliseconds from the request until the job of the order is at its gateway. */
  async order(n: number): Promise<number> {
    const { merchantId, umsId, members, apiKey } = this.site
    const orderId = `storm-${n}`
    const locationId = members[(n * 7_919) % members.length]?.locationId
    const line = { umsId, qty: 1, price: 12.5 }
    const sentMs = performance.timeOrigin + performance.now()
    const answer = await fetch(`${this.#url}/v1/order/inject`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ merchantId, locationId, orderId, source: 'bench', items: [line], total: 12.5 }),
    })
    const said = await answer.text()
    if (answer.status !== 200) throw new Error(`order refused: ${said}`)
    while (!this.gateways.arrived.has(orderId)) await systemClock.sleep(1)
    return (this.gateways.arrived.get(orderId) ?? Number.NaN) - sentMs
  }

  /** Of the relay: processor time so far, and resident memory. */
  used(): { cpuMs: number; kb: number } {
    const stat = readFileSync(`/proc/${this.relay.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const [, kb = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.relay.pid}/status`, 'utf8')) ?? []
    return { cpuMs: (Number(stat[11]) + Number(stat[12])) * TICK_MS, kb: Number(kb) }
  }

  async close(): Promise<void> {
    this.gateways.end()
    await this.relay.kill('SIGKILL')
  }
}

async function measureReturn(fleet: Fleet, idleSeconds: number): Promise<Return> {
  const gateways = fleet.site.members.length
  fleet.connect()
  const before = await fleet.gateways.ask('all-welcomed')
  await fleet.relay.kill('SIGKILL')
  await fleet.gateways.ask('all-gone')
  await fleet.startRelay()
  const readyAt = performance.now()
  const empty = fleet.used().kb
  const after = await fleet.gateways.ask('all-welcomed')
  const backMs = performance.now() - readyAt
  // Their statuses are written, and what the storm has left in memory is collected.
  await systemClock.sleep(idleSeconds * 1_000)
  const began = { ...fleet.used(), at: performance.now() }
  await systemClock.sleep(idleSeconds * 1_000)
  const ended = fleet.used()
  const seconds = (performance.now() - began.at) / 1_000
  return {
    gateways,
    backMs,
    attempts: (after.attempts - before.attempts) / gateways,
    hellos: (after.hellos - before.hellos) / gateways,
    waits: after.waits - before.waits,
    idleMsPerSecondPer1000: ((ended.cpuMs - began.cpuMs) / seconds / gateways) * 1_000,
    kbPerGateway: (ended.kb - empty) / gateways,
  }
}

/** @param sizes of the fleets, rising; the relays of the first and of the last are then asked to print, in turns */
export async function measureStorm(sizes: readonly number[], quick: boolean): Promise<Storm> {
  const fleets: Fleet[] = []
  const returns: Return[] = []
  for (const gateways of sizes) {
    const fleet = await Fleet.open(gateways)
    fleets.push(fleet)
    returns.push(await measureReturn(fleet, quick ? 5 : 35))
  }
  const [few, many] = [fleets[0], fleets.at(-1)]
  if (!few || !many) throw new Error('no sizes')
  const times = { few: [] as number[], many: [] as number[] }
  const [warm, orders] = quick ? [20, 60] : [100, 400]
  for (let n = 0; n < warm + orders; n++) {
    const took = { few: await few.order(n), many: await many.order(n) }
    if (n < warm) continue
    times.few.push(took.few)
    times.many.push(took.many)
  }
  for (const fleet of fleets) await fleet.close()
  const p50 = { few: percentile(times.few, 50), many: percentile(times.many, 50) }
  return { returns, dispatch: { ...p50, ratio: p50.many / p50.few } }
}

/** A restaurant chain behind one address: the proxy says the same for all of them. @returns milliseconds until the last is welcomed */
export async function measureOneAddress(gateways: number): Promise<number> {
  const fleet = await Fleet.open(gateways, {
    CLOUD_TRUSTED_PROXIES: '127.0.0.0/8',
    CLOUD_MQTT_PROXY_PROTOCOL: 'on',
  })
  const beganAt = performance.now()
  fleet.connect('PROXY TCP4 203.0.113.7 203.0.113.1 40000 1883\r\n')
  await fleet.gateways.ask('all-welcomed')
  const tookMs = performance.now() - beganAt
  await fleet.close()
  return tookMs
}
