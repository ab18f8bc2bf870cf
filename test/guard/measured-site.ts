// Relay and gateway of a checkout, paired, with two printers: one that prints at once, and one that is switched off and holds what waits.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { systemClock } from '#shared/clock.ts'
import { folderUntilExit } from '#test/bench/until-exit.ts'
import { ownPort } from '#test/doubles/own-port.ts'
import { UNTHROTTLED } from '#test/harness/site.ts'
import type { Side } from './load.ts'
import { MeasuredProgram } from './measured-program.ts'
import { PaperWatch } from './paper-watch.ts'

/** Of the test merchant's menu: its station is the bar. */
const DRINK = 'UMS-COFFEE-01'
const DISH = 'UMS-BURGER-01'
const SIDE_DISHES = ['UMS-FRIES-01', 'UMS-SALAD-01', 'UMS-BRULEE-01'] as const

const LINK_CAP_MS = 60_000

interface Demo {
  apiKey: string
  merchantId: string
}

export class MeasuredSite implements Side {
  readonly dir: string
  readonly root: string
  readonly relay: MeasuredProgram
  readonly gateway: MeasuredProgram
  readonly paper: PaperWatch
  readonly #demo: Demo

  private constructor(site: Pick<MeasuredSite, 'dir' | 'root' | 'relay' | 'gateway' | 'paper'>, demo: Demo) {
    this.dir = site.dir
    this.root = site.root
    this.relay = site.relay
    this.gateway = site.gateway
    this.paper = site.paper
    this.#demo = demo
  }

  /** @param root the checkout whose programs run */
  static async start(root: string): Promise<MeasuredSite> {
    const dir = folderUntilExit('ticketrail-guard-')
    const file = join(dir, 'cloud/relay.db')
    const demo = await provision(root, file)
    const paper = await PaperWatch.start()
    const [httpPort, mqttPort, pagePort, offPort] = await freePorts(4)
    const relay = await MeasuredProgram.start({
      root,
      entry: 'cloud/main.ts',
      // As `npm run cloud` does.
      nodeArgs: ['--max-semi-space-size=4'],
      env: {
        CLOUD_DATABASE: file,
        CLOUD_MASTER_KEY: randomBytes(32).toString('base64'),
        CLOUD_HTTP_PORT: String(httpPort),
        CLOUD_MQTT_PORT: String(mqttPort),
      },
    })
    const pairingFile = join(dir, 'gateway/pairing.json')
    mkdirSync(join(dir, 'gateway'))
    writeFileSync(pairingFile, JSON.stringify({ ...demo.pairing, brokerUrl: `mqtt://127.0.0.1:${mqttPort}` }), {
      mode: 0o600,
    })
    const gateway = await MeasuredProgram.start({
      root,
      entry: 'gateway/main.ts',
      // As `npm run gateway` does.
      nodeArgs: ['--max-semi-space-size=1'],
      env: {
        GATEWAY_DATABASE: join(dir, 'gateway/gateway.db'),
        GATEWAY_PROOF_FOLDER: join(dir, 'proof'),
        GATEWAY_PAIRING_FILE: pairingFile,
        GATEWAY_PRINTERS: `kitchen=127.0.0.1:${paper.port},switched-off=127.0.0.1:${offPort}@bar`,
        GATEWAY_HTTP_PORT: String(pagePort),
      },
    })
    const site = new MeasuredSite({ dir, root, relay, gateway, paper }, demo)
    await site.#linked()
    return site
  }

  get url(): string {
    return this.relay.ready.httpUrl
  }

  get path(): string {
    return '/v1/order/inject'
  }

  get headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#demo.apiKey}` }
  }

  get pageUrl(): string {
    return this.gateway.ready.httpUrl
  }

  get controlSocket(): string {
    return join(this.dir, 'gateway/control.sock')
  }

  /** An order of one dish. */
  body(token: string): string {
    return this.#order(token, [DISH])
  }

  /** An order that only the printer that is switched off would print. */
  waitingBody(token: string): string {
    return this.#order(token, [DRINK])
  }

  /** An order as it stands on a display: four lines. */
  largeBody(token: string): string {
    return this.#order(token, [DISH, ...SIDE_DISHES])
  }

  /** Tickets that are not on paper. */
  async waiting(): Promise<number> {
    const answer = await fetch(`${this.pageUrl}/api/status`)
    const { queue } = (await answer.json()) as { queue: { queued: number } }
    return queue.queued
  }

  async stop(): Promise<void> {
    await Promise.all([this.relay.stop(), this.gateway.stop()])
    await this.paper.stop()
    rmSync(this.dir, { recursive: true, force: true })
  }

  async #linked(): Promise<void> {
    const endAt = performance.now() + LINK_CAP_MS
    while (performance.now() < endAt) {
      const answer = await fetch(`${this.pageUrl}/readyz`)
      if ((await answer.text()).includes('"link":"connected"')) return
      await systemClock.sleep(50)
    }
    throw new Error('the gateway is not connected to the relay after 60 s')
  }

  #order(token: string, dishes: readonly string[]): string {
    const items = dishes.map((umsId) => ({ umsId, qty: 1, price: 9.5, note: token }))
    const { merchantId } = this.#demo
    return JSON.stringify({ merchantId, orderId: token, source: 'guard', items, total: (950 * dishes.length) / 100 })
  }
}

/** By the checkout's own code: its schema may be another. */
async function provision(root: string, file: string): Promise<Demo & { pairing: object }> {
  // Before the second engine it stood elsewhere, under another name.
  const module = join(root, 'cloud/storage/sqlite/sqlite-database.ts')
  const opened: typeof SqliteDatabase = existsSync(module)
    ? ((await import(module)) as typeof import('#cloud/storage/sqlite/sqlite-database.ts')).SqliteDatabase
    : (await import(join(root, 'cloud/storage/database.ts'))).RelayDatabase
  const { provisionDemo } = (await import(
    join(root, 'cloud/sandbox/provision-demo.ts')
  )) as typeof import('#cloud/sandbox/provision-demo.ts')
  const db = await opened.open(file, (error) => {
    throw error
  })
  const { apiKey, merchantId, gatewayId, token, topics } = await provisionDemo(db, systemClock)
  await db.unit((tx) =>
    tx
      .updateTable('accounts')
      .set({ plan_overrides: JSON.stringify(UNTHROTTLED) })
      .execute(),
  )
  await db.close()
  const pairing = { gatewayId, token, topics, merchantName: 'Guarded kitchen', timeZone: 'America/New_York' }
  return { apiKey, merchantId, pairing }
}

async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) ports.push(await ownPort(ports))
  return ports
}
