// One of several relays as a process: with a network of its own to the database, a wall clock of its own, and a note when it ends by itself.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FaultProxy } from '#test/doubles/fault-proxy.ts'
import type { PostgresServer } from '#test/harness/postgres-server.ts'
import { type LogLine, Program } from '#test/harness/program.ts'

const DEBIAN_ARCH = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
/** Debian's `libfaketime`: the wall clock of one program, told by a file, without touching that of the machine. */
const LIBRARY = `/usr/lib/${DEBIAN_ARCH}-linux-gnu/faketime/libfaketime.so.1`
export const hasFaketime = existsSync(LIBRARY)
/** What a relay says last that ended by itself, or did not end as it was told. */
const LAST_LINES = 30
const START_TRIES = 20
const STOPS_WITHIN_MS = 60_000

export interface FireRelayOptions {
  /** From 0. */
  number: number
  ports: { http: number; mqtt: number }
  masterKey: string
  server: PostgresServer
  /** For the clock's file and the admin socket. */
  dir: string
  /** More settings. */
  env: Readonly<Record<string, string>>
}

export class FireRelay {
  readonly number: number
  readonly network = new FaultProxy()
  /** Each time it ended by itself, or not in order, with its last lines. */
  readonly fell: string[] = []
  readonly #options: FireRelayOptions
  readonly #clockFile: string
  #program: Program | null = null
  #shallEnd = false

  constructor(options: FireRelayOptions) {
    this.number = options.number
    this.#options = options
    this.#clockFile = join(options.dir, `clock-${options.number}`)
  }

  /** Its lines of all lives. */
  get log(): readonly LogLine[] {
    return this.#program?.log ?? []
  }

  get pid(): number {
    return this.#program?.pid ?? 0
  }

  /** Its network to the database, and its clock, which is right. */
  async prepare(): Promise<void> {
    const { server, ports, masterKey, number, env } = this.#options
    const { port } = await this.network.start({ host: '127.0.0.1', port: server.port })
    this.setClock(0)
    const url = new URL(server.url())
    url.port = String(port)
    this.#program = new Program(
      'cloud/main.ts',
      {
        DATABASE_URL: url.href,
        CLOUD_DATABASE: join(this.#options.dir, 'not-used.db'),
        CLOUD_ADMIN_SOCKET: join(this.#options.dir, `admin-${number}.sock`),
        CLOUD_MASTER_KEY: masterKey,
        CLOUD_HTTP_PORT: String(ports.http),
        CLOUD_MQTT_PORT: String(ports.mqtt),
        CLOUD_LOG_LEVEL: 'warn',
        CLOUD_DRAIN_SECONDS: '1',
        CLOUD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
        ...env,
        ...(hasFaketime && {
          LD_PRELOAD: LIBRARY,
          FAKETIME_TIMESTAMP_FILE: this.#clockFile,
          FAKETIME_CACHE_DURATION: '1',
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
          FAKETIME_DISABLE_SHM: '1',
        }),
      },
      true,
    )
  }

  /** Starts it; while the database is away it cannot, and is started again as a service manager does. */
  async start(): Promise<void> {
    const program = this.#running()
    for (let tries = 1; ; tries++) {
      try {
        await program.start()
        break
      } catch (error) {
        if (tries >= START_TRIES) throw error
      }
    }
    this.#shallEnd = false
    void program.ended().then(() => {
      if (!this.#shallEnd) this.#fell('ended by itself')
    })
  }

  /** As `kill -9`. */
  async kill(): Promise<void> {
    this.#shallEnd = true
    await this.#running().kill('SIGKILL')
  }

  /** By SIGTERM, in order. */
  async stop(): Promise<void> {
    this.#shallEnd = true
    const program = this.#running()
    const late = AbortSignal.timeout(STOPS_WITHIN_MS)
    late.onabort = () => void program.kill('SIGKILL')
    const code = await program.kill('SIGTERM')
    late.onabort = null
    if (code !== 0) this.#fell(`did not stop in order: ${code ?? 'it hung, and was killed'}`)
  }

  freeze(): void {
    this.#running().signal('SIGSTOP')
  }

  thaw(): void {
    this.#running().signal('SIGCONT')
  }

  /** @param seconds ahead of the machine's clock; negative: behind it. The program sees it within a second. */
  setClock(seconds: number): void {
    writeFileSync(this.#clockFile, `${seconds < 0 ? '' : '+'}${seconds}\n`)
  }

  async remove(): Promise<void> {
    if (this.#program !== null) await this.kill()
    await this.network.stop()
  }

  #fell(how: string): void {
    const lines = this.log.slice(-LAST_LINES).map((line) => JSON.stringify(line))
    this.fell.push(`relay ${this.number} ${how}:\n${lines.join('\n')}`)
  }

  #running(): Program {
    if (this.#program === null) throw new Error('the relay was not prepared')
    return this.#program
  }
}
