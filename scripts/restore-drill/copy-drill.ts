// One drill of a restore: a relay is started on a copy in a scratch folder, prints, and is put back to before an order that its gateway has.
import { randomUUID } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { newestCopy } from '#cloud/backup/keep-copies.ts'
import type { CloudConfig } from '#cloud/config.ts'
import { type Demo, provisionDemo } from '#cloud/sandbox/provision-demo.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { systemClock } from '#shared/clock.ts'
import { runOperatorLine } from '#test/harness/command-line.ts'
import { Program } from '#test/harness/program.ts'
import { Client } from './client.ts'
import { must, until } from './must.ts'
import { SimulatedGateway } from './simulated-gateway.ts'

const LOOPBACK = '127.0.0.1'

type Settings = { [name in keyof CloudConfig]?: string }

export interface DrillOptions {
  /** Scratch folder, which the caller removes. */
  folder: string
  /** Folder of copies, or one copy; absent: a relay is made for it, and copied. */
  from?: string | undefined
  /** The key of the copy, or what starts the relay without. The drill's relay takes nothing else from outside. */
  settings: Settings
}

export interface DrillResult {
  copy: string
  /** Age of the copy. */
  rpoSeconds: number
  /** From the beginning of the restore to the first order on paper. */
  rtoSeconds: number
}

/** Where the drill's orders come out, and the order that has come out there. */
interface Site {
  demo: Demo
  gateway: SimulatedGateway
  /** Its serviceOrderId. */
  first: string
}

export class CopyDrill {
  readonly #folder: string
  readonly #from: string | undefined
  readonly #database: string
  readonly #env: Readonly<Record<string, string>>
  readonly #relay: Program

  constructor({ folder, from, settings }: DrillOptions) {
    this.#folder = folder
    this.#from = from
    this.#database = join(folder, 'relay.db')
    const own = {
      CLOUD_DATABASE: this.#database,
      // A free port each, reachable from this machine only.
      CLOUD_HTTP_HOST: LOOPBACK,
      CLOUD_HTTP_PORT: '0',
      CLOUD_MQTT_HOST: LOOPBACK,
      CLOUD_MQTT_PORT: '0',
      CLOUD_ADMIN_SOCKET: join(folder, 'admin.sock'),
      // What was due for the outside when the copy was made is sent by the production relay.
      CLOUD_OUTGOING: 'off',
    } satisfies Settings
    this.#env = { ...own, ...settings }
    this.#relay = new Program('cloud/main.ts', this.#env, false)
  }

  /** @throws with one line of what is not as it should be */
  async run(): Promise<DrillResult> {
    const copy = await this.#copy()
    const { file } = await this.#admin(['restore', '--check', copy])
    const copiedAtMs = file.copiedAtMs ?? statSync(copy).mtimeMs
    const rpoSeconds = (systemClock.now() - copiedAtMs) / 1_000
    try {
      const { rtoSeconds, ...site } = await this.#restoreAndPrint(copy)
      await site.gateway.leave()
      await this.#relay.kill('SIGTERM')
      await this.#handBack(site)
      await site.gateway.leave()
      await this.#relay.kill('SIGTERM')
      await this.#mustBeWhole('after it all there is no fault')
      return { copy, rpoSeconds, rtoSeconds }
    } finally {
      await this.#relay.kill('SIGKILL')
    }
  }

  /** The newest copy of those that were named, or one of a relay that is made for it. */
  async #copy(): Promise<string> {
    const from = this.#from
    if (from !== undefined && statSync(from).isFile()) return from
    if (from !== undefined) {
      const name = newestCopy(readdirSync(from))
      if (name === null) throw new Error(`there is no copy in ${from}`)
      return join(from, name)
    }
    const source = join(this.#folder, 'source.db')
    await withDemo(source)
    return (await this.#admin(['backup', '--into', join(this.#folder, 'copies')], source)).file
  }

  /** The restored relay accepts an order and gets its print result. */
  async #restoreAndPrint(copy: string): Promise<Site & { rtoSeconds: number }> {
    const startedMs = systemClock.monotonicMs()
    await this.#admin(['restore', copy])
    await this.#mustBeWhole('the copy has no fault')
    const demo = await withDemo(this.#database)
    await this.#admin(['backup', '--to', join(this.#folder, 'before.db')])
    const { httpUrl, mqttPort = 0 } = await this.#relay.start()
    const gateway = new SimulatedGateway(demo)
    await gateway.connect(mqttPort)
    const client = new Client(httpUrl, demo)
    const first = await client.order('drill-0')
    await until('an order to the gateway is told as printed', () => client.isPrinted(first))
    return { rtoSeconds: (systemClock.monotonicMs() - startedMs) / 1_000, demo, gateway, first }
  }

  /** The relay goes back to before an order that the gateway has: it comes back from there. */
  async #handBack({ demo, gateway, first }: Site): Promise<void> {
    const orderId = `drill-${randomUUID()}`
    const { httpUrl, mqttPort = 0 } = await this.#relay.start()
    await gateway.connect(mqttPort)
    const client = new Client(httpUrl, demo)
    const forgotten = await client.order(orderId)
    await until('the order that will be forgotten is printed', () => client.isPrinted(forgotten))
    await gateway.leave()
    await this.#relay.kill('SIGKILL')
    await this.#admin(['restore', join(this.#folder, 'before.db')])
    const again = await this.#relay.start()
    await gateway.connect(again.mqttPort ?? 0)
    const restored = new Client(again.httpUrl, demo)
    await until('the forgotten order comes back from the gateway', () => restored.isPrinted(forgotten))
    must((await restored.order(orderId)) === forgotten, 'a client that repeats it is answered with its first id')
    const next = await restored.order('drill-next')
    await until('the next order is printed', () => restored.isPrinted(next))
    must(gateway.received.areJust([first, forgotten, next]), 'the gateway was sent each order once')
  }

  async #mustBeWhole(what: string): Promise<void> {
    const { faults } = await this.#admin(['verify'])
    must(faults.length === 0, `${what}: ${faults.join('; ')}`)
  }

  /** Runs one command of the operator. @throws with its output */
  // biome-ignore lint/suspicious/noExplicitAny: each command prints another shape
  async #admin(args: readonly string[], file = this.#database): Promise<any> {
    const ran = await runOperatorLine({ ...this.#env, CLOUD_DATABASE: file }, [...args, '--json'])
    if (ran.code !== 0) throw new Error(`admin ${args[0]}: ${ran.err || ran.out}`)
    return ran.json
  }
}

async function withDemo(file: string): Promise<Demo> {
  const db = await SqliteDatabase.open(file, (error) => {
    throw error
  })
  const demo = await provisionDemo(db, systemClock)
  await db.close()
  return demo
}
