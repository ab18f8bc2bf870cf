// The whole restaurant of `npm start`: printer, relay and gateway, started in order, kept alive, stopped in reverse.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { callControl } from '#gateway/cli/control-client.ts'
import type { TerminalLook } from '#shared/cli/ticket-frame.ts'
import type { Clock } from '#shared/clock.ts'
import { type DemoAccount, openAccount, openMasterKey, writePairing } from './account.ts'
import { announcement } from './announce.ts'
import { openCallLine } from './call-line.ts'
import { ChildProgram } from './child-program.ts'
import { type DataPaths, dataPaths, lockDataFolder, makeDataFolder } from './data-folder.ts'
import { DemoError } from './demo-error.ts'
import { claimPort } from './free-port.ts'
import { LogFile } from './log-file.ts'
import type { Address, DemoOptions } from './options.ts'
import { PaperTray } from './paper-tray.ts'
import { watchPrinter } from './printer-watch.ts'
import { writePrivateFile } from './private-file.ts'
import { scriptedCall } from './scripted-call.ts'
import { welcomeLink } from './welcome-link.ts'

/** The option that moves a program's port, for errors that name the variable. */
const OPTION_OF = {
  CLOUD_HTTP_PORT: '--cloud-port',
  CLOUD_MQTT_PORT: '--mqtt-port',
  GATEWAY_HTTP_PORT: '--gateway-port',
} as const

/** With one of these set, `npm run ticketrail` does not look for the demo in `data`. */
const OTHER_RELAY = ['TICKETRAIL_DEMO', 'TICKETRAIL_API_KEY', 'TICKETRAIL_URL']

interface Ports {
  cloud: number
  gateway: number
  mqtt: number
}

export interface DemoDeps {
  /** The project's folder: the programs' working directory. */
  root: string
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  say: (text: string) => void
  look: () => TerminalLook
}

export class Demo {
  readonly #options: DemoOptions
  readonly #deps: DemoDeps
  readonly #paths: DataPaths
  readonly #failure = new AbortController()
  readonly #closing = new AbortController()
  readonly #pids = { cloud: 0, gateway: 0 }
  /** What to undo at the end, last first. */
  readonly #undo: (() => void | Promise<void>)[] = []
  #demoFile: Record<string, unknown> | null = null
  #starting: Promise<void> | null = null
  #watching: Promise<void> = Promise.resolve()
  #stopped: Promise<void> | null = null
  #children: ChildProgram[] = []

  constructor(options: DemoOptions, deps: DemoDeps) {
    this.#options = options
    this.#deps = deps
    this.#paths = dataPaths(options.dataDir)
  }

  /** Aborts with a DemoError when a program cannot go on. */
  get failed(): AbortSignal {
    return this.#failure.signal
  }

  /** Resolves when everything is ready and announced. Rejects when something fails, or when `stop` is called meanwhile. */
  start(): Promise<void> {
    this.#starting ??= this.#startAll()
    return this.#starting
  }

  get closing(): boolean {
    return this.#closing.signal.aborted
  }

  /** Stops the programs, then the printer, and gives the folder back. Safe to call twice. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll()
    return this.#stopped
  }

  /** For a person who does not want to wait. */
  killNow(): void {
    for (const child of this.#children) child.kill()
  }

  async #startAll(): Promise<void> {
    const { clock, env, say } = this.#deps
    const until = AbortSignal.any([this.#failure.signal, this.#closing.signal])
    makeDataFolder(this.#paths)
    this.#undo.push(lockDataFolder(this.#paths, (pid) => process.kill(pid, 'SIGKILL')))
    rmSync(this.#paths.demo, { force: true })
    const ports = await this.#claimPorts()
    const account = await openAccount(this.#paths, clock)
    writePairing(this.#paths, account, ports.mqtt)
    // Before the relay starts: the database is one program's.
    const line = this.#options.call ? await openCallLine(this.#paths, account, clock) : null
    const printer = await this.#loadPrinter(Object.values(ports))
    until.throwIfAborted()
    const cloudUrl = `http://127.0.0.1:${ports.cloud}`
    const gatewayUrl = `http://127.0.0.1:${ports.gateway}`
    this.#run('cloud', this.#cloudEnv(ports))
    await waitReady(cloudUrl, { name: 'cloud', clock, signal: until })
    this.#run('gateway', this.#gatewayEnv(ports, printer))
    await waitReady(gatewayUrl, { name: 'gateway', clock, signal: until })
    const [setupCode, dashboardLink] = await Promise.all([this.#setupCode(), this.#dashboardLink(ports, account)])
    this.#writeDemoFile({ cloudUrl, gatewayUrl, account, printer })
    say(
      announcement({
        cloudUrl,
        gatewayUrl,
        dashboardLink,
        account,
        printer,
        paperDir: this.#options.printer ? null : this.#paths.paper,
        dataDir: this.#paths.root,
        controlSocket: this.#isUsualFolder() ? null : this.#controlSocket,
        isFound: this.#isUsualFolder() && !OTHER_RELAY.some((name) => env[name]),
        setupCode,
      }),
    )
    // The virtual printer shows its paper; the state of a real one comes from the gateway.
    if (this.#options.printer) this.#watching = watchPrinter(gatewayUrl, { clock, say, signal: until })
    const { apiKey, merchantId } = account
    if (line !== null) await scriptedCall({ cloudUrl, line, apiKey, merchantId, clock, say, signal: until })
  }

  get #controlSocket(): string {
    return join(this.#paths.root, 'gateway', 'control.sock')
  }

  /** Another code of the gateway's first user; null once there is one. */
  async #setupCode(): Promise<string | null> {
    try {
      const { code } = (await callControl(this.#controlSocket, 'admin.setup-code', {})) as { code?: unknown }
      return typeof code === 'string' ? code : null
    } catch {
      // Refused, or it has another answer: the announcement names another way to get it.
      return null
    }
  }

  /** Null where the account is of an older demo, or the relay makes no link. */
  async #dashboardLink(ports: Ports, { accountId }: DemoAccount): Promise<string | null> {
    if (accountId === undefined) return null
    const { root, env } = this.#deps
    return welcomeLink({ root, env: { ...env, ...this.#cloudEnv(ports) }, accountId, signal: this.#closing.signal })
  }

  #isUsualFolder(): boolean {
    return this.#paths.root === join(this.#deps.root, 'data')
  }

  async #stopAll(): Promise<void> {
    this.#closing.abort(new DemoError('stopped'))
    // Its error, if any, is reported by the caller of start.
    await this.#starting?.catch(() => {})
    await this.#watching
    // Only when it is ours: another starter's folder was refused before anything was written.
    if (this.#demoFile) rmSync(this.#paths.demo, { force: true })
    this.#demoFile = null
    await Promise.all(this.#children.map((child) => child.stop()))
    for (const undo of this.#undo.toReversed()) await undo()
  }

  async #claimPorts(): Promise<Ports> {
    const { cloudPort, gatewayPort, mqttPort } = this.#options
    const wanted = { '--cloud-port': cloudPort, '--gateway-port': gatewayPort, '--mqtt-port': mqttPort }
    for (const [option, port] of Object.entries(wanted))
      for (const [other, otherPort] of Object.entries(wanted))
        if (port !== 0 && port === otherPort && option < other)
          throw new DemoError(`${option} and ${other} are both ${port}. Give each its own port (0 = any free one).`)
    const cloud = await claimPort(cloudPort, '--cloud-port', [])
    const gateway = await claimPort(gatewayPort, '--gateway-port', [cloud])
    const mqtt = await claimPort(mqttPort, '--mqtt-port', [cloud, gateway])
    return { cloud, gateway, mqtt }
  }

  async #loadPrinter(taken: readonly number[]): Promise<Address> {
    if (this.#options.printer) return this.#options.printer
    const tray = new PaperTray(this.#paths, this.#deps.say, this.#deps.look)
    this.#undo.push(() => tray.stop())
    return tray.start(taken)
  }

  #run(name: 'cloud' | 'gateway', env: Record<string, string | undefined>): void {
    const log = new LogFile(join(this.#paths.logs, `${name}.log`))
    this.#undo.push(() => log.close())
    const child = new ChildProgram({
      name,
      entry: join(this.#deps.root, name, 'main.ts'),
      // As `npm run gateway` and `npm run cloud` do: a small young generation keeps the memory flat.
      nodeArgs: [`--max-semi-space-size=${name === 'gateway' ? 1 : 4}`],
      cwd: this.#deps.root,
      env: { ...this.#deps.env, ...env },
      log,
      clock: this.#deps.clock,
      say: this.#deps.say,
      onStarted: (pid) => this.#notePid(name, pid),
      onGivenUp: (reason) => this.#giveUp(name, reason, log.path),
    })
    this.#children.push(child)
    child.start()
  }

  #cloudEnv(ports: Ports): Record<string, string | undefined> {
    return {
      CLOUD_DATABASE: this.#paths.cloudDatabase,
      CLOUD_HTTP_HOST: '127.0.0.1',
      CLOUD_HTTP_PORT: String(ports.cloud),
      CLOUD_MQTT_HOST: '127.0.0.1',
      CLOUD_MQTT_PORT: String(ports.mqtt),
      CLOUD_MASTER_KEY: openMasterKey(this.#paths),
      // So that a receiver on this machine can be tried. A deployed relay refuses private addresses.
      CLOUD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
      CLOUD_PUBLIC_URL: undefined,
      CLOUD_RECEPTIONIST_URL: undefined,
      CLOUD_BROKER_URL: undefined,
    }
  }

  #gatewayEnv(ports: Ports, { host, port }: Address): Record<string, string | undefined> {
    const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
    return {
      GATEWAY_DATABASE: this.#paths.gatewayDatabase,
      // All of the demo is in its folder.
      GATEWAY_PROOF_FOLDER: join(this.#paths.root, 'proof'),
      GATEWAY_HTTP_HOST: '127.0.0.1',
      GATEWAY_HTTP_PORT: String(ports.gateway),
      GATEWAY_PAIRING_FILE: this.#paths.pairing,
      GATEWAY_PRINTERS: `kitchen=${address}`,
    }
  }

  #writeDemoFile({
    cloudUrl,
    gatewayUrl,
    account,
    printer,
  }: {
    cloudUrl: string
    gatewayUrl: string
    account: DemoAccount
    printer: Address
  }): void {
    const { apiKey, merchantId, umsIds } = account
    this.#demoFile = { cloudUrl, gatewayUrl, apiKey, merchantId, umsIds, printer, pids: this.#pids }
    this.#saveDemoFile()
  }

  #notePid(name: 'cloud' | 'gateway', pid: number): void {
    this.#pids[name] = pid
    if (this.#demoFile) this.#saveDemoFile()
  }

  #saveDemoFile(): void {
    writePrivateFile(this.#paths.demo, `${JSON.stringify(this.#demoFile, null, 2)}\n`)
  }

  #giveUp(name: string, reason: string, logPath: string): void {
    const said = reason === '' ? 'It left no message.' : reason
    const advice = Object.entries(OPTION_OF)
      .filter(([variable]) => reason.includes(variable))
      .map(([, option]) => ` With npm start the option is ${option} (0 = any free port).`)
    this.#failure.abort(new DemoError(`The ${name} cannot run: ${said}${advice.join('')}\nIts log: ${logPath}`))
  }
}

// Waits until a program answers /readyz with 200.
const EVERY_MS = 50
const LIMIT_MS = 60_000

/** @throws DemoError after a minute; rejects with the signal's reason when it aborts. */
async function waitReady(
  url: string,
  { name, clock, signal }: { name: string; clock: Clock; signal: AbortSignal },
): Promise<void> {
  const deadline = clock.monotonicMs() + LIMIT_MS
  while (clock.monotonicMs() < deadline) {
    signal.throwIfAborted()
    if (await answersReady(`${url}/readyz`)) return
    await clock.sleep(EVERY_MS, signal)
  }
  throw new DemoError(`The ${name} did not become ready within ${LIMIT_MS / 1_000} s.`)
}

async function answersReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    // Not listening yet: asked again.
    return false
  }
}
