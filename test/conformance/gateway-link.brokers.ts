// The brokers that the link's suite runs on: the embedded one, and Debian's Mosquitto with the files that the relay writes for it.
import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrokerAuth, MosquittoFiles } from '#cloud/relay/broker-auth.ts'
import type { RelayOptions } from '#cloud/relay/relay.ts'

export interface BrokerUnderTest {
  readonly name: string
  /** Credentials that the broker keeps itself. */
  readonly auth?: BrokerAuth
  start(): Promise<void>
  stop(): Promise<void>
  relayConfig(): RelayOptions['config']
  /** Where gateways connect to, given the port of the relay's embedded broker. */
  port(relayPort: number): number
  /** SIGKILL and start again; null when the broker is part of the relay and dies with it. */
  readonly killAndRestart: (() => Promise<void>) | null
}

export function embedded(): BrokerUnderTest {
  return {
    name: 'embedded aedes',
    start: async () => {},
    stop: async () => {},
    relayConfig: () => ({ mqttHost: '127.0.0.1', mqttPort: 0 }),
    port: (relayPort) => relayPort,
    killAndRestart: null,
  }
}

/** Path of the program, or null if it is not installed. */
export function findMosquitto(): string | null {
  for (const path of ['/usr/sbin/mosquitto', '/usr/bin/mosquitto', '/usr/local/sbin/mosquitto']) {
    try {
      accessSync(path)
      return path
    } catch {}
  }
  return null
}

export class Mosquitto implements BrokerUnderTest {
  readonly name = 'mosquitto'
  readonly auth: MosquittoFiles
  readonly #program: string
  readonly #dir = mkdtempSync(join(tmpdir(), 'mosquitto-'))
  readonly #relay = { username: 'relay', password: 'relay-password-of-the-test' }
  #process: ChildProcess | null = null
  #port = 0

  constructor(program: string) {
    this.#program = program
    this.auth = new MosquittoFiles({
      passwordFile: join(this.#dir, 'passwords'),
      aclFile: join(this.#dir, 'acl'),
      relay: this.#relay,
      reload: () => void this.#process?.kill('SIGHUP'),
    })
  }

  async start(): Promise<void> {
    this.#port = await freePort()
    await this.auth.prepare()
    writeFileSync(
      join(this.#dir, 'mosquitto.conf'),
      [
        `listener ${this.#port} 127.0.0.1`,
        'allow_anonymous false',
        `password_file ${join(this.#dir, 'passwords')}`,
        `acl_file ${join(this.#dir, 'acl')}`,
        'set_tcp_nodelay true',
        'max_packet_size 262144',
        'persistence false',
        'user root',
        'log_dest none',
      ].join('\n'),
    )
    await this.#launch()
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM')
    rmSync(this.#dir, { recursive: true, force: true })
  }

  readonly killAndRestart = async (): Promise<void> => {
    await this.#end('SIGKILL')
    await this.#launch()
  }

  relayConfig(): RelayOptions['config'] {
    return {
      mqttHost: '127.0.0.1',
      mqttPort: 0,
      brokerUrl: `mqtt://127.0.0.1:${this.#port}`,
      brokerUsername: this.#relay.username,
      brokerPassword: this.#relay.password,
    }
  }

  port(): number {
    return this.#port
  }

  async #launch(): Promise<void> {
    this.#process = spawn(this.#program, ['-c', join(this.#dir, 'mosquitto.conf')], { stdio: 'ignore' })
    while (!(await answers(this.#port))) await new Promise((resolve) => setTimeout(resolve, 10))
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process
    this.#process = null
    if (!child || child.exitCode !== null) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await exited
  }
}

/** A CONNECT without a name. */
const CONNECT = Buffer.from('100d00044d5154540402003c000178', 'hex')

/** Whether it refuses us: it listens a moment before it is ready for signals, and SIGHUP would end it then. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(CONNECT))
    socket.once('data', () => {
      resolve(true)
      socket.destroy()
    })
    socket.once('error', () => {})
    socket.once('close', () => resolve(false))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = address !== null && typeof address === 'object' ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
