// A relay and a box that do not know each other yet: real programs, the operator's and the technician's command lines, one virtual printer.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createSandboxAccount, type SandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { systemClock } from '#shared/clock.ts'
import type { LocationId } from '#shared/ids.ts'
import type { Pairing } from '#shared/wire/gateway-link.ts'
import { ownPort } from '#test/doubles/own-port.ts'
import { type LineResult, runLineOf, runOperatorLine } from './command-line.ts'
import { LOOPBACK_PRINTERS } from './gateway-program.ts'
import { foldersOfSites, Program } from './program.ts'
import { UNTHROTTLED } from './site.ts'

const GATEWAY = [process.execPath, 'gateway/main.ts']

export interface PairSiteOptions {
  printers?: string
  cloudEnv?: Readonly<Record<string, string>>
  gatewayEnv?: Readonly<Record<string, string>>
  /** Command line of the gateway; default: this tree's. */
  gatewayProgram?: readonly string[]
}

export class PairSite {
  readonly dir = mkdtempSync(join(foldersOfSites(), 'ticketrail-pair-'))
  readonly cloud: Program
  gateway: Program
  account!: SandboxAccount
  cloudUrl = ''
  gatewayUrl = ''
  mqttPort = 0
  readonly cloudEnv: Record<string, string>
  readonly gatewayEnv: Record<string, string>
  readonly #gatewayProgram: readonly string[]

  constructor({ printers = '', cloudEnv = {}, gatewayEnv = {}, gatewayProgram = GATEWAY }: PairSiteOptions = {}) {
    this.#gatewayProgram = gatewayProgram
    this.cloudEnv = {
      CLOUD_DATABASE: join(this.dir, 'cloud/relay.db'),
      CLOUD_MASTER_KEY: randomBytes(32).toString('base64'),
      ...cloudEnv,
    }
    this.gatewayEnv = {
      GATEWAY_DATABASE: join(this.dir, 'gateway/gateway.db'),
      GATEWAY_PROOF_FOLDER: join(this.dir, 'proof'),
      GATEWAY_PAIRING_FILE: this.pairingFile,
      GATEWAY_PRINTERS: printers,
      GATEWAY_ALLOWED_PRINTERS: LOOPBACK_PRINTERS,
      GATEWAY_HTTP_PORT: '0',
      ...gatewayEnv,
    }
    this.cloud = new Program('cloud/main.ts', this.cloudEnv, true)
    this.gateway = new Program('run', this.gatewayEnv, true, [], gatewayProgram)
  }

  get pairingFile(): string {
    return join(this.dir, 'gateway/pairing.json')
  }

  get locationId(): LocationId {
    const location = this.account.merchants[0]?.locations[0]
    if (!location) throw new Error('the fixtures have no location')
    return location.locationId
  }

  async startRelay(): Promise<void> {
    if (this.cloudUrl === '') {
      const db = await SqliteDatabase.open(this.cloudEnv['CLOUD_DATABASE'] ?? '', (error) => {
        throw error
      })
      this.account = await createSandboxAccount({ db, clock: systemClock }, { name: 'Pairing' })
      await db.unit((tx) =>
        tx
          .updateTable('accounts')
          .set({ plan_overrides: JSON.stringify(UNTHROTTLED) })
          .execute(),
      )
      await db.close()
    }
    this.mqttPort ||= await ownPort()
    const httpPort = this.cloudUrl === '' ? await ownPort([this.mqttPort]) : Number(new URL(this.cloudUrl).port)
    const ports = { CLOUD_HTTP_PORT: String(httpPort), CLOUD_MQTT_PORT: String(this.mqttPort) }
    this.cloudUrl = (await this.cloud.start(ports)).httpUrl
  }

  /** @param relayUrl where the box claims; the relay itself if absent */
  async startBox(relayUrl = this.cloudUrl, extra: Record<string, string> = {}): Promise<void> {
    this.gatewayUrl = (await this.gateway.start({ GATEWAY_RELAY_URL: relayUrl, ...extra })).httpUrl
  }

  async stop(): Promise<void> {
    await Promise.all([this.cloud.kill('SIGKILL'), this.gateway.kill('SIGKILL')])
    rmSync(this.dir, { recursive: true, force: true })
  }

  /** A line of the technician. */
  line(...args: string[]): Promise<LineResult> {
    return runLineOf(this.gatewayEnv, args, '', this.#gatewayProgram)
  }

  /** A line of the operator that must succeed: what --json prints. */
  async admin(...args: string[]): Promise<LineResult['json']> {
    const { code, err, json } = await runOperatorLine(this.cloudEnv, [...args, '--json'])
    if (code !== 0) throw new Error(`admin ${args.join(' ')}: ${err}`)
    return json
  }

  async newCode(name = 'Kitchen'): Promise<string> {
    return (await this.admin('gateways', 'code', '--location', this.locationId, '--name', name)).code
  }

  /** Pairs the box with a new code. @returns the gateway's id */
  async pair(): Promise<string> {
    const { code, err, json } = await this.line('pair', await this.newCode(), '--json')
    if (code !== 0) throw new Error(`pair: ${err}`)
    return json.gatewayId
  }

  pairing(): Pairing | null {
    try {
      return JSON.parse(readFileSync(this.pairingFile, 'utf8')) as Pairing
    } catch {
      return null
    }
  }

  /** Permission bits of the pairing file. */
  pairingMode(): number {
    return statSync(this.pairingFile).mode & 0o777
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into the body of any answer
  async status(): Promise<any> {
    return (await fetch(`${this.gatewayUrl}/api/status`)).json()
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into the body of any answer
  async call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
    const response = await fetch(this.cloudUrl + path, {
      method,
      headers: { authorization: `Bearer ${this.account.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }

  /** An order of the fixture merchant; its id stands on paper. */
  order(orderId: string): Promise<{ status: number; body: { serviceOrderId?: string; order?: unknown } }> {
    const items = [{ umsId: 'UMS-BURGER-01', qty: 1, price: 12.5, note: orderId }]
    return this.call('POST', '/v1/order/inject', { merchantId: 'M-TEST-001', orderId, source: 't', items, total: 12.5 })
  }
}
