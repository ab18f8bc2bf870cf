// The weekly drill of a restore: the newest copy is restored into a scratch folder, looked through, and a real relay is started on it, with one gateway that is ahead of it. Prints RPO and RTO.
//
//   npm run -s restore-drill                       makes a relay of its own, copies it and restores that
//   npm run -s restore-drill -- --from FOLDER      the newest copy of a folder of `admin backup --into`, or one file
//
// CLOUD_MASTER_KEY or CLOUD_MASTER_KEY_FILE: the key of the copy; without it one is made, and the copy's own secrets are not tried.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { newestCopy } from '#cloud/backup/keep-copies.ts'
import { withMasterKey } from '#cloud/master-key.ts'
import { provisionDemo } from '#cloud/sandbox/provision-demo.ts'
import { RelayDatabase } from '#cloud/storage/database.ts'
import { systemClock } from '#shared/clock.ts'
import { runLineOf } from '#test/harness/command-line.ts'
import { Program } from '#test/harness/program.ts'
import { SimulatedGateway } from './restore-drill/simulated-gateway.ts'

const WITHIN_MS = 60_000
const LOOK_MS = 20
const RELAY = [process.execPath, 'cloud/main.ts']
const folder = mkdtempSync(join(tmpdir(), 'ticketrail-restore-drill-'))
const database = join(folder, 'relay.db')
const env = {
  CLOUD_DATABASE: database,
  ...masterKey(),
  CLOUD_HTTP_PORT: '0',
  CLOUD_MQTT_PORT: '0',
  CLOUD_ADMIN_SOCKET: join(folder, 'admin.sock'),
}

/** Without the key of the copy the drill starts without its secrets. Ends it before anything is made when a file was named that cannot be used. */
function masterKey(): Record<string, string> {
  try {
    const ofCopy = withMasterKey(process.env)['CLOUD_MASTER_KEY']
    if (ofCopy !== undefined) return { CLOUD_MASTER_KEY: ofCopy }
    return { CLOUD_MASTER_KEY: randomBytes(32).toString('base64'), CLOUD_START_WITHOUT_SECRETS: 'yes' }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exit(1)
  }
}

/** Runs one line of the operator. @throws with what it says */
// biome-ignore lint/suspicious/noExplicitAny: each command prints another shape
async function admin(args: readonly string[], file = database): Promise<any> {
  const ran = await runLineOf({ ...env, CLOUD_DATABASE: file }, ['admin', ...args, '--json'], '', RELAY)
  if (ran.code !== 0) throw new Error(`admin ${args[0]}: ${ran.err || ran.out}`)
  return ran.json
}

/** @throws when it does not become true */
async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const endMs = systemClock.monotonicMs() + WITHIN_MS
  while (!(await isSo())) {
    if (systemClock.monotonicMs() > endMs) throw new Error(`not within ${WITHIN_MS / 1_000} s: ${what}`)
    await systemClock.sleep(LOOK_MS)
  }
}

function must(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`not so: ${what}`)
}

type Demo = Awaited<ReturnType<typeof provisionDemo>>

async function withDemo(file: string): Promise<Demo> {
  const db = await RelayDatabase.open(file, (error) => {
    throw error
  })
  const demo = await provisionDemo(db, systemClock)
  await db.close()
  return demo
}

class Client {
  readonly #url: string
  readonly #demo: Demo

  constructor(url: string, demo: Demo) {
    this.#url = url
    this.#demo = demo
  }

  // biome-ignore lint/suspicious/noExplicitAny: the body of any answer
  async #call(path: string, body?: object): Promise<any> {
    const headers = { authorization: `Bearer ${this.#demo.apiKey}`, 'content-type': 'application/json' }
    const answer = await fetch(
      this.#url + path,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
    return answer.json()
  }

  /** @returns its serviceOrderId */
  async order(orderId: string): Promise<string> {
    const { merchantId, umsIds } = this.#demo
    const items = [{ umsId: umsIds[0], qty: 1, price: 9.5 }]
    const answer = await this.#call('/v1/order/inject', { merchantId, orderId, source: 'drill', items, total: 9.5 })
    const { serviceOrderId } = answer.order ?? answer
    must(typeof serviceOrderId === 'string', `the relay takes an order, but says ${JSON.stringify(answer)}`)
    return serviceOrderId
  }

  async isPrinted(serviceOrderId: string): Promise<boolean> {
    const { merchantId } = this.#demo
    return (await this.#call(`/v1/order/${serviceOrderId}?merchantId=${merchantId}`)).status === 'printed'
  }
}

/** A copy to restore: the newest that was named, or one of a relay that is made for it. */
async function copyOf(from: string | undefined): Promise<string> {
  if (from !== undefined && statSync(from).isFile()) return from
  if (from !== undefined) {
    const name = newestCopy(readdirSync(from))
    if (name === null) throw new Error(`there is no copy in ${from}`)
    return join(from, name)
  }
  const source = join(folder, 'source.db')
  await withDemo(source)
  return (await admin(['backup', '--into', join(folder, 'copies')], source)).file
}

/** The restored relay takes an order and hears of its paper. @returns seconds from the beginning of the restore */
async function restoreAndPrint(
  copy: string,
  relay: Program,
): Promise<{ seconds: number; demo: Demo; gateway: SimulatedGateway }> {
  const startedMs = systemClock.monotonicMs()
  await admin(['restore', copy])
  const { faults } = await admin(['verify'])
  must(faults.length === 0, `the copy has no fault: ${faults.join('; ')}`)
  const demo = await withDemo(database)
  await admin(['backup', '--to', join(folder, 'before.db')])
  const { httpUrl, mqttPort = 0 } = await relay.start()
  const gateway = new SimulatedGateway(demo)
  await gateway.connect(mqttPort)
  const client = new Client(httpUrl, demo)
  const order = await client.order('drill-0')
  await until('an order to the gateway is told as printed', () => client.isPrinted(order))
  return { seconds: (systemClock.monotonicMs() - startedMs) / 1_000, demo, gateway }
}

/** The relay goes back to before an order that the gateway has: it comes back from there. */
async function handBack(relay: Program, { demo, gateway }: { demo: Demo; gateway: SimulatedGateway }): Promise<void> {
  const orderId = `drill-${randomUUID()}`
  const { httpUrl, mqttPort = 0 } = await relay.start()
  await gateway.connect(mqttPort)
  const client = new Client(httpUrl, demo)
  const forgotten = await client.order(orderId)
  await until('the order that will be forgotten is printed', () => client.isPrinted(forgotten))
  await gateway.leave()
  await relay.kill('SIGKILL')
  await admin(['restore', join(folder, 'before.db')])
  const again = await relay.start()
  await gateway.connect(again.mqttPort ?? 0)
  const restored = new Client(again.httpUrl, demo)
  await until('the forgotten order comes back from the gateway', () => restored.isPrinted(forgotten))
  must((await restored.order(orderId)) === forgotten, 'a client that repeats it is answered with its first id')
  const next = await restored.order('drill-next')
  await until('the next order is printed', () => restored.isPrinted(next))
  must(new Set(gateway.jobIds).size === 3, 'nothing was sent to the gateway twice')
}

async function drill(from: string | undefined): Promise<void> {
  const copy = await copyOf(from)
  const { file } = await admin(['restore', '--check', copy])
  const copiedAtMs = file.copiedAtMs ?? statSync(copy).mtimeMs
  const rpo = (systemClock.now() - copiedAtMs) / 1_000
  const relay = new Program('cloud/main.ts', env, false)
  try {
    const { seconds, ...site } = await restoreAndPrint(copy, relay)
    await site.gateway.leave()
    await relay.kill('SIGTERM')
    await handBack(relay, site)
    await site.gateway.leave()
    await relay.kill('SIGTERM')
    const { faults } = await admin(['verify'])
    must(faults.length === 0, `after it all there is no fault: ${faults.join('; ')}`)
    process.stdout.write(`copy ${copy}\nRPO ${rpo.toFixed(1)} s: a loss now would forget what came since the copy\n`)
    process.stdout.write(`RTO ${seconds.toFixed(1)} s: from the copy to the first order on paper\n`)
    process.stdout.write('the gateway handed back what the relay had forgotten\n')
  } finally {
    await relay.kill('SIGKILL')
  }
}

try {
  await drill(parseArgs({ options: { from: { type: 'string' } } }).values.from)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
