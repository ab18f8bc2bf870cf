// A relay is stopped behind a balancer while orders come at a steady pace, by the very files of deploy/: nobody gets an error, no ticket is lost, twice or marked.
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Demo, provisionDemo } from '#cloud/sandbox/provision-demo.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { systemClock } from '#shared/clock.ts'
import { Balancer, type BalancerName, whyNoBalancer } from '#test/doubles/balancers.ts'
import { ownPort } from '#test/doubles/own-port.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { judgePaper } from '#test/harness/judge-paper.ts'
import { OpensslAuthority } from '#test/harness/openssl-authority.ts'
import { Program } from '#test/harness/program.ts'
import { Site, UNTHROTTLED } from '#test/harness/site.ts'
import { SteadyLoad } from '#test/harness/steady-load.ts'

const authority = new OpensslAuthority()
afterAll(() => authority.remove())
const stops: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** Longer than a balancer of deploy/ needs to notice. */
const DRAINING = { CLOUD_DRAIN_SECONDS: '4', CLOUD_TRUSTED_PROXIES: '127.0.0.1' }
const RATE = 50

async function balancerBefore(name: BalancerName, ports: readonly number[], env = {}): Promise<Balancer> {
  const balancer = await Balancer.make(name, ports, authority.issue())
  stops.push(() => balancer.stop())
  await balancer.start(env)
  return balancer
}

const said = (program: Program, msg: string): number => program.log.filter((line) => line.msg === msg).length

/** For people: nothing is judged by it. */
function sharesOf(waitsMs: number[]): string {
  const sorted = waitsMs.toSorted((a, b) => a - b)
  const share = (part: number): string => `${Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0)} ms`
  return `p50 ${share(0.5)}, p99 ${share(0.99)}, most ${share(1)}`
}

/** Orders that it has stored, as far as its log tells. */
const taken = ({ log }: Program): number => log.filter(({ walk }) => walk === '2/10').length

const noCaddy = whyNoBalancer('caddy')
if (noCaddy !== null) process.stderr.write(`drained relays behind Caddy: not tried, ${noCaddy}\n`)

it.skipIf(noCaddy !== null)(
  'one relay that restarts behind Caddy: every order is answered by 200 and printed once',
  async () => {
    const paperAtMs = new Map<string, number>()
    const printer = new VirtualPrinter({
      onTicket: (ticket) => paperAtMs.set(/T-\d{6}/.exec(ticket.text())?.[0] ?? '', systemClock.monotonicMs()),
    })
    const { host, port } = await printer.start()
    stops.push(() => printer.stop())
    const site = new Site({ printers: `kitchen=${host}:${port}`, cloudEnv: DRAINING, keepLog: true })
    stops.push(() => site.stop())
    await site.start()
    // The only relay is away for a moment: requests wait for it.
    const balancer = await balancerBefore('caddy', [Number(new URL(site.cloudUrl).port)], { RELAY_TRY: '60s' })
    const load = new SteadyLoad({
      ...{ port: balancer.port, ca: authority.ca, apiKey: site.apiKey, rate: RATE },
      body: (token) => site.orderBody({ orderId: token, note: token }),
    })
    load.start()
    await load.more(RATE)
    expect(await site.cloud.kill('SIGTERM')).toBe(0)
    expect(said(site.cloud, 'draining: serving until clients send nothing new')).toBe(1)
    // The gateway found no other relay, and stayed to the end.
    expect(said(site.cloud, 'the gateways were sent to other relays')).toBe(1)
    await site.startCloud()
    await load.more(RATE)
    await load.stop()

    expect(load.faults).toEqual([])
    const promised = load.sent.map(({ token }) => token).sort()
    await expect.poll(() => promised.filter((token) => !paperAtMs.has(token))).toEqual([])
    const texts = printer.tickets.map((ticket) => ticket.text())
    expect(judgePaper(promised, texts)).toMatchObject({
      lost: [],
      unmarkedDoubles: [],
      marked: 0,
      copies: promised.length,
    })
    const waits = load.sent.map(({ token, sentMs }) => (paperAtMs.get(token) ?? 0) - sentMs)
    console.log(`  ${promised.length} orders; from the request to paper: ${sharesOf(waits)}`)
  },
)

/** Two relays that know the same clients and gateways. They share nothing: an order is at the one that took it. */
class Pair {
  readonly dir = mkdtempSync(join(tmpdir(), 'relay-pair-'))
  readonly relays: Program[] = []
  readonly ports: number[] = []
  gateway: Program | null = null
  demo!: Demo

  async start(): Promise<void> {
    const files = [join(this.dir, 'a/relay.db'), join(this.dir, 'b/relay.db')] as const
    const open = () =>
      SqliteDatabase.open(files[0], (error) => {
        throw error
      })
    const db = await open()
    this.demo = await provisionDemo(db, systemClock)
    await db.unit((tx) =>
      tx
        .updateTable('accounts')
        .set({ plan_overrides: JSON.stringify(UNTHROTTLED) })
        .execute(),
    )
    await db.close()
    await (await SqliteDatabase.open(files[1], () => undefined)).close()
    copyFileSync(files[0], files[1])
    const key = randomBytes(32).toString('base64')
    for (const file of files) {
      this.ports.push(await ownPort(this.ports))
      const env = { CLOUD_DATABASE: file, CLOUD_MASTER_KEY: key, CLOUD_MQTT_PORT: '0', ...DRAINING }
      const relay = new Program('cloud/main.ts', { ...env, CLOUD_HTTP_PORT: String(this.ports.at(-1)) }, true)
      this.relays.push(relay)
      await relay.start()
    }
  }

  /** A box that connects by wss to the balancer. */
  async connectGateway(balancer: Balancer): Promise<Program> {
    const { gatewayId, token, topics } = this.demo
    const brokerUrl = `wss://localhost:${balancer.port}/mqtt`
    const pairing = { gatewayId, token, topics, brokerUrl, ca: authority.ca, merchantName: 'm', timeZone: 'UTC' }
    const file = join(this.dir, 'pairing.json')
    writeFileSync(file, JSON.stringify(pairing), { mode: 0o600 })
    this.gateway = new Program(
      'gateway/main.ts',
      {
        ...{ GATEWAY_DATABASE: join(this.dir, 'gateway.db'), GATEWAY_PROOF_FOLDER: join(this.dir, 'proof') },
        ...{ GATEWAY_PAIRING_FILE: file, GATEWAY_HTTP_PORT: '0' },
      },
      true,
    )
    await this.gateway.start()
    await expect.poll(() => said(this.gateway as Program, 'relay is here')).toBe(1)
    return this.gateway
  }

  /** The relay that the gateway is connected to. */
  ofGateway(): Program {
    const relay = this.relays.find((one) => said(one, 'gateway is here') > said(one, 'gateway is gone'))
    if (!relay) throw new Error('the gateway is nowhere')
    return relay
  }

  orderBody(token: string): unknown {
    const items = [{ umsId: this.demo.umsIds[0], qty: 1, price: 9.5 }]
    return { merchantId: this.demo.merchantId, orderId: token, source: 'load', items, total: 9.5, print: false }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.relays, this.gateway].map((program) => program?.kill('SIGKILL')))
    rmSync(this.dir, { recursive: true, force: true })
  }
}

describe.each(['caddy', 'haproxy'] as const)('two relays behind %s', (name) => {
  const reason = whyNoBalancer(name)
  if (reason !== null) process.stderr.write(`drained relays behind ${name}: not tried, ${reason}\n`)
  let pair: Pair
  beforeEach(async () => {
    pair = new Pair()
    stops.push(() => pair.stop())
    if (reason === null) await pair.start()
  })

  it.skipIf(reason !== null)(
    'one after the other stops and comes back: no order fails, and the gateway is never without a relay',
    async () => {
      const balancer = await balancerBefore(name, pair.ports)
      const gateway = await pair.connectGateway(balancer)
      const load = new SteadyLoad({
        ...{ port: balancer.port, ca: authority.ca, apiKey: pair.demo.apiKey, rate: RATE },
        body: (token) => pair.orderBody(token),
      })
      load.start()
      await load.more(RATE)
      for (let turn = 1; turn <= 2; turn++) {
        const relay = pair.ofGateway()
        expect(await relay.kill('SIGTERM')).toBe(0)
        await load.more(RATE)
        await expect.poll(() => said(gateway, 'relay is here')).toBe(turn + 1)
        // The balancer has found it again before the other one goes.
        const before = taken(relay)
        await relay.start()
        await expect.poll(() => taken(relay)).toBeGreaterThan(before)
      }
      await load.stop()
      expect(load.faults).toEqual([])
      console.log(
        `  ${load.sent.length} orders; from the request to the answer: ${sharesOf(load.sent.map((one) => one.answeredMs - one.sentMs))}`,
      )
      expect(said(gateway, 'no connection to the relay')).toBe(0)
      const stayed = pair.relays.flatMap(({ log }) => log.filter(({ msg }) => msg.startsWith('the gateways were sent')))
      expect(stayed.map(({ gateways, stayed: count }) => [gateways, count])).toEqual([
        [1, 0],
        [1, 0],
      ])
      const counts = (): number[] => pair.relays.map(taken)
      await expect.poll(() => counts().reduce((sum, count) => sum + count, 0)).toBe(load.sent.length)
      expect(counts().every((count) => count > 0)).toBe(true)
    },
  )
})
